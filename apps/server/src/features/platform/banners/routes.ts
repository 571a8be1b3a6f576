import type { bannerRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import { authorOf } from '#http/request.ts';
import type { Database } from '#storage/database.ts';
import { presentBanner } from './banner.ts';
import * as commands from './commands.ts';
import { listBanners } from './store.ts';

export function bannerHandlers({ db, write }: Database): Handlers<typeof bannerRoutes> {
  return {
    'GET /api/admin/banners': async () => ({
      status: 200,
      body: { banners: (await listBanners(db)).map(presentBanner) },
    }),
    'POST /api/admin/banners': async ({ body, caller, request }) => {
      const banner = await write(authorOf(caller, request), (tx) => commands.createBanner(tx, body));
      return { status: 201, body: presentBanner(banner), headers: { location: `banners/${banner.id}` } };
    },
    'PUT /api/admin/banners/:id': async ({ params, body, caller, request }) => {
      const banner = await write(authorOf(caller, request), (tx) => commands.updateBanner(tx, params.id, body));
      return { status: 200, body: presentBanner(banner) };
    },
    'POST /api/admin/banners/:id/on': async ({ params, caller, request }) => {
      const banner = await write(authorOf(caller, request), (tx) =>
        commands.updateBanner(tx, params.id, { enabled: true }),
      );
      return { status: 200, body: presentBanner(banner) };
    },
    'POST /api/admin/banners/:id/off': async ({ params, caller, request }) => {
      const banner = await write(authorOf(caller, request), (tx) =>
        commands.updateBanner(tx, params.id, { enabled: false }),
      );
      return { status: 200, body: presentBanner(banner) };
    },
    'DELETE /api/admin/banners/:id': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.deleteBanner(tx, params.id));
      return { status: 200 };
    },
  };
}
