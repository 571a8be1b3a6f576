import { stateRoutes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { translate } from './move.ts';
import type { UnleashContent } from './read.ts';

const odd = [
  ...[
    '',
    ' ',
    ':',
    ' :',
    'a :b',
    'a: b',
    '::',
    ' a ',
    'a',
    '\n',
    'a\nb',
    '\u00a0',
    '\u200b',
    '\u2028\u2028',
    '😊',
    'ａ',
  ],
  ...['\0', 'a\0b', '\ud800', '__proto__', '.', '..', 'constructor', 'archive'],
  ...['x'.repeat(51), 'é'.repeat(200), '😊'.repeat(60), 'x'.repeat(300), '😊'.repeat(2500), 'x'.repeat(200_000)],
];

/** Returns a content with one object of each kind; `value` replaces the text of the place. */
function contentWith(place: string, value: string): UnleashContent {
  const at = (name: string, text: string) => (name === place ? value : text);
  const constraints = [{ contextName: 'country', operator: 'IN', values: ['DE'] }];
  const environment = at('environment', 'development');
  const project = at('project', 'shop');
  const [type, tag] = [at('tag type', 'simple'), { type: at('tag type', 'simple'), value: at('tag', 'checkout') }];
  return {
    environments: [{ name: environment, type: at('type of environment', 'test'), enabled: true, sortOrder: 1 }],
    projects: [
      {
        id: project,
        name: at('name of project', 'Shop'),
        description: at('description', 'd'),
        defaultStickiness: at('default stickiness', 'default'),
        environments: [{ environment }],
      },
    ],
    flags: [
      {
        name: at('flag', 'checkout'),
        project,
        type: at('flag type', 'release'),
        description: at('description', 'd'),
        tags: [tag],
        links: [{ url: at('URL', 'https://example.com'), title: at('title of link', 't') }],
        variants: new Map(),
        isCompleted: false,
        environments: [
          {
            name: environment,
            enabled: true,
            strategies: [{ name: at('strategy', 'own'), title: at('title', 't'), constraints, segments: [1] }],
          },
        ],
      },
    ],
    segments: [{ id: 1, name: at('segment', 'eu'), description: at('description', 'd'), constraints }],
    contextFields: [
      {
        name: at('context field', 'country'),
        description: at('description', 'd'),
        legalValues: [{ value: at('legal value', 'DE'), description: at('about legal value', 'd') }],
      },
    ],
    strategies: [
      {
        name: at('strategy', 'own'),
        title: at('title', 't'),
        description: at('description', 'd'),
        editable: true,
        parameters: [{ name: 'p', type: at('type of parameter', 'string'), description: at('description', 'd') }],
      },
    ],
    tagTypes: [
      { name: type, description: at('description', 'd'), icon: at('icon', 'i'), color: at('color', '#ffffff') },
    ],
    tags: [tag],
    users: {
      users: [
        { username: at('user', 'ada'), email: at('address', 'ada@example.com'), name: at('name', 'A'), rootRole: 1 },
      ],
      rootRoles: [{ id: 1, name: 'Admin' }],
    },
    tokens: [
      {
        tokenName: at('token', 't'),
        type: at('type of token', 'client'),
        environment,
        projects: [project],
        expiresAt: at('expiry', '2999-01-01T00:00:00.000Z'),
      },
    ],
    integrations: [],
    archivedFlags: [],
    flagTypes: [],
    frontendApiOrigins: undefined,
  };
}

const places = [
  ...['environment', 'type of environment', 'project', 'name of project', 'description', 'default stickiness', 'flag'],
  ...['flag type', 'tag type', 'tag', 'URL', 'title of link', 'strategy', 'title', 'segment', 'context field'],
  ...['legal value', 'about legal value', 'type of parameter', 'icon', 'color', 'user', 'address', 'name', 'token'],
  ...['type of token', 'expiry'],
];

describe('values that no SDK evaluates', () => {
  it.each(places)('do not stop a move when they are odd: %s', (place) => {
    for (const value of odd) {
      const { state, installation } = translate(contentWith(place, value), 0);
      // As they are sent.
      const body: unknown = JSON.parse(JSON.stringify({ state, installation }));
      const issues = stateRoutes['POST /api/admin/state/plan'].body.safeParse(body).error?.issues ?? [];
      expect({ value: value.slice(0, 20), issues }).toEqual({ value: value.slice(0, 20), issues: [] });
    }
  });
});
