import type { bannerRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import { presentBanner } from './banner.ts';
import * as commands from './commands.ts';
import { listBanners } from './store.ts';

export function bannerHandlers({ db, write }: Database): Handlers<typeof bannerRoutes> {
  return {
    'GET /api/admin/banners': async () => ({ body: { banners: (await listBanners(db)).map(presentBanner) } }),
    'POST /api/admin/banners': async ({ body, author }) => {
      const banner = await write(author, (tx) => commands.createBanner(tx, body));
      return { body: presentBanner(banner), headers: { location: `banners/${banner.id}` } };
    },
    'PUT /api/admin/banners/:id': async ({ params, body, author }) => {
      const banner = await write(author, (tx) => commands.updateBanner(tx, params.id, body));
      return { body: presentBanner(banner) };
    },
    'POST /api/admin/banners/:id/on': async ({ params, author }) => {
      const banner = await write(author, (tx) => commands.updateBanner(tx, params.id, { enabled: true }));
      return { body: presentBanner(banner) };
    },
    'POST /api/admin/banners/:id/off': async ({ params, author }) => {
      const banner = await write(author, (tx) => commands.updateBanner(tx, params.id, { enabled: false }));
      return { body: presentBanner(banner) };
    },
    'DELETE /api/admin/banners/:id': async ({ params, author }) =>
      write(author, (tx) => commands.deleteBanner(tx, params.id)),
  };
}
