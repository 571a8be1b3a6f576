import type { Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const plain = {
  enabled: true,
  variant: 'info',
  sticky: false,
  icon: null,
  link: null,
  linkText: null,
  dialogTitle: null,
  dialog: null,
};

async function given(server: TestServer, more: object = {}) {
  const { json } = await server.admin.call('POST /api/admin/banners', { body: { message: 'Mind the gap', ...more } });
  return { params: { id: json.id as number } };
}
const create = 'POST /api/admin/banners';
const update = 'PUT /api/admin/banners/:id';
const created = { message: 'We *move* on Friday', variant: 'warning', link: '/projects', linkText: 'See' };

export const bannerScenarios: readonly Scenario[] = [
  {
    route: create,
    name: 'creates an enabled banner',
    call: { body: created },
    answer: { ...plain, ...created },
    events: [{ type: 'banner-created', data: { ...plain, ...created }, preData: null }],
  },
  {
    route: create,
    name: 'creates a banner that opens a dialog',
    call: { body: { message: 'x', enabled: false, link: 'dialog', dialogTitle: 'Why', dialog: '# Because' } },
    answer: { enabled: false, link: 'dialog' },
    events: [{ type: 'banner-created', data: { enabled: false } }],
  },
  ...[
    { message: 'x', variant: 'loud' },
    { message: 'x', link: 'javascript:alert(1)' },
    { message: 'x', link: '//evil.example.com' },
  ].map(
    (body): Scenario => ({
      route: create,
      name: `refuses ${JSON.stringify(body)}`,
      call: { body },
      status: 400,
    }),
  ),
  {
    route: 'GET /api/admin/banners',
    name: 'lists banners for every signed-in caller',
    as: 'viewer',
    answer: { banners: [{ ...plain, ...created }, { message: 'x' }] },
  },
  {
    route: update,
    name: 'updates the given fields',
    given: async (server) => ({ ...(await given(server, { sticky: true })), body: { message: 'Gone', icon: 'none' } }),
    answer: { message: 'Gone', icon: 'none', sticky: true },
    events: [
      {
        type: 'banner-updated',
        data: { message: 'Gone', icon: 'none', sticky: true },
        preData: { message: 'Mind the gap', icon: null, sticky: true },
      },
    ],
  },
  {
    route: 'POST /api/admin/banners/:id/off',
    name: 'disables a banner',
    given,
    answer: { enabled: false },
    events: [{ type: 'banner-updated', data: { enabled: false }, preData: { enabled: true } }],
  },
  {
    route: 'POST /api/admin/banners/:id/on',
    name: 'enables a banner',
    given: (server) => given(server, { enabled: false }),
    answer: { enabled: true },
    events: [{ type: 'banner-updated', data: { enabled: true }, preData: { enabled: false } }],
  },
  {
    route: 'DELETE /api/admin/banners/:id',
    name: 'deletes a banner',
    given,
    events: [{ type: 'banner-deleted', data: null, preData: { ...plain, message: 'Mind the gap' } }],
  },
];
