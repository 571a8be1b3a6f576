import type { Scenario } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';

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

const unknown = { params: { id: 99_999 } };
const create = 'POST /api/admin/banners';
const update = 'PUT /api/admin/banners/:id';
const created = { message: 'We *move* on Friday', variant: 'warning', link: '/projects', linkText: 'See' };

export const bannerScenarios: readonly Scenario[] = [
  {
    route: create,
    name: 'creates one that is on',
    call: { body: created },
    status: 201,
    answer: { ...plain, ...created },
    events: [{ type: 'banner-created', data: { ...plain, ...created }, preData: null }],
  },
  {
    route: create,
    name: 'takes one that leads to its dialog',
    call: { body: { message: 'x', enabled: false, link: 'dialog', dialogTitle: 'Why', dialog: '# Because' } },
    status: 201,
    answer: { enabled: false, link: 'dialog' },
    events: [{ type: 'banner-created', data: { enabled: false } }],
  },
  ...(
    [
      ['message', {}],
      ['message', { message: ' ' }],
      ['variant', { message: 'x', variant: 'loud' }],
      ['link', { message: 'x', link: 'javascript:alert(1)' }],
      ['link', { message: 'x', link: '//evil.example.com' }],
    ] as const
  ).map(
    ([path, body]): Scenario => ({
      route: create,
      name: `refuses ${JSON.stringify(body)}`,
      call: { body },
      status: 400,
      answer: { details: [{ path }] },
    }),
  ),
  { route: create, name: 'is closed to an editor', as: 'editor', call: { body: created }, status: 403 },
  {
    route: 'GET /api/admin/banners',
    name: 'lists them to everybody who is here',
    as: 'viewer',
    status: 200,
    answer: { banners: [{ ...plain, ...created }, { message: 'x' }] },
  },
  { route: 'GET /api/admin/banners', name: 'is closed to who is not', as: 'nobody', status: 401 },
  {
    route: update,
    name: 'changes what it names',
    given: async (server) => ({ ...(await given(server, { sticky: true })), body: { message: 'Gone', icon: 'none' } }),
    status: 200,
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
    route: update,
    name: 'records nothing when nothing changes',
    given: async (server) => ({ ...(await given(server)), body: { message: 'Mind the gap' } }),
    status: 200,
  },
  { route: update, name: 'finds no other', call: { ...unknown, body: { message: 'x' } }, status: 404 },
  {
    route: 'POST /api/admin/banners/:id/off',
    name: 'turns it off',
    given,
    status: 200,
    answer: { enabled: false },
    events: [{ type: 'banner-updated', data: { enabled: false }, preData: { enabled: true } }],
  },
  { route: 'POST /api/admin/banners/:id/off', name: 'finds no other', call: unknown, status: 404 },
  {
    route: 'POST /api/admin/banners/:id/on',
    name: 'turns it on',
    given: (server) => given(server, { enabled: false }),
    status: 200,
    answer: { enabled: true },
    events: [{ type: 'banner-updated', data: { enabled: true }, preData: { enabled: false } }],
  },
  { route: 'POST /api/admin/banners/:id/on', name: 'leaves on what is on', given, status: 200 },
  { route: 'POST /api/admin/banners/:id/on', name: 'finds no other', call: unknown, status: 404 },
  {
    route: 'DELETE /api/admin/banners/:id',
    name: 'deletes it',
    given,
    status: 200,
    events: [{ type: 'banner-deleted', data: null, preData: { ...plain, message: 'Mind the gap' } }],
  },
  { route: 'DELETE /api/admin/banners/:id', name: 'finds no other', call: unknown, status: 404 },
];
