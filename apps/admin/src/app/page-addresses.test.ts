import { describe, expect, it } from 'vitest';
import { readActionSearch } from '../entities/actions/action-search.ts';
import { readEventSearch } from '../entities/events/event-search.ts';
import { readSignalSearch } from '../entities/signals/signal-search.ts';
import { readApplicationSearch } from '../features/applications/application-search.ts';
import { readRequestSearch } from '../features/change-requests/request-search.ts';
import { readConnectSearch } from '../features/connect/connect-search.ts';
import { readFirstAlertSearch } from '../features/first-alert/first-alert-search.ts';
import { readFlagSearch } from '../features/flags/flag-search.ts';
import { readInstanceSearch } from '../features/instance/instance-search.ts';
import { readPlaygroundSearch } from '../features/playground/playground-search.ts';
import { readProjectSearch } from '../features/projects/project-search.ts';
import { readCreateTemplateSearch, readTemplateSearch } from '../features/release-templates/template-search.ts';
import { readRoleSearch } from '../features/roles/role-search.ts';
import { readStrategySearch } from '../features/strategies/strategy-search.ts';
import { readUsageSearch } from '../features/usage/usage-search.ts';
import { readUserSearch } from '../features/users/user-search.ts';
import type { Address } from '../lib/address.ts';
import { readQuerySearch } from '../lib/query-search.ts';

interface Page {
  readonly read: (address: Address) => object;
  /** Addresses that say the same to the page as they are, as the page itself writes them. */
  readonly kept: readonly Address[];
  /** Values that the page reads otherwise, by parameter: undefined for one that it ignores. */
  readonly changed?: readonly (readonly [given: Address, read: Address])[];
}

const query = { query: 'checkout 2' };
const nothing = (...addresses: readonly Address[]) => addresses.map((address) => [address, {}] as const);
const notTexts = (name: string) => nothing(...[true, {}, ['x'], null].map((value) => ({ [name]: value })));
const notPages = nothing({ page: 1 }, { page: 0 }, { page: -2 }, { page: 1.5 }, { page: '2' }, { page: 'x' });
const notIds = (name: string) => nothing(...[0, -1, 1.5, '3', true].map((value) => ({ [name]: value })));

const pages: Readonly<Record<string, Page>> = {
  actions: {
    read: readActionSearch,
    kept: [
      { make: true },
      { make: true, signal: 7 },
      { make: true, flag: 'checkout', environment: 'production' },
      { edit: 3 },
      { releaseOf: 3 },
      { runsOf: 3 },
      ...['started', 'waiting', 'success', 'failed', 'skipped'].map((state) => ({ runsOf: 3, state })),
    ],
    changed: [
      [
        { make: true, signal: 7, flag: 'checkout', environment: 'production', edit: 3 },
        { make: true, signal: 7 },
      ],
      [{ make: true, flag: 'checkout' }, { make: true }],
      [{ make: true, environment: 'production' }, { make: true }],
      [{ make: true, flag: '', environment: 'production' }, { make: true }],
      [{ edit: 3, releaseOf: 4, runsOf: 5 }, { edit: 3 }],
      [{ releaseOf: 4, runsOf: 5 }, { releaseOf: 4 }],
      [{ runsOf: 5, state: 'toString' }, { runsOf: 5 }],
      ...nothing({ make: 'true' }, { state: 'failed' }, { flag: 'checkout', environment: 'production' }, { signal: 7 }),
      ...['edit', 'releaseOf', 'runsOf'].flatMap(notIds),
    ],
  },
  applications: {
    read: readApplicationSearch,
    kept: [query, { page: 2 }, { ...query, page: 12 }],
    changed: [...notTexts('query'), ...notPages],
  },
  'change requests': {
    read: readRequestSearch,
    kept: [{ show: 'waiting' }, { show: 'mine' }, { show: 'all', state: 'closed', page: 2 }],
    changed: [...nothing({ show: 'theirs' }, { state: 'open' }), ...notPages],
  },
  connect: {
    read: readConnectSearch,
    kept: [{ language: 'go' }, { environment: 'production' }],
    changed: [...notTexts('language'), ...notTexts('environment')],
  },
  events: { read: readEventSearch, kept: [query, { type: ['a', 'b'], signal: 3, span: '1h' }, { start: 1, end: 2 }] },
  'first alert': {
    read: readFirstAlertSearch,
    kept: [{ endpoint: 2, project: 'default', flag: 'checkout', environment: 'production', action: 5 }],
    changed: [...notIds('endpoint'), ...notIds('action'), ...['project', 'flag', 'environment'].flatMap(notTexts)],
  },
  flags: {
    read: readFlagSearch,
    kept: [
      { ...query, type: 'release', stage: 'live', tag: 'team:payments', creator: 4, held: true, desc: true },
      ...['active', 'stale', 'potentially-stale'].map((state) => ({ state })),
      ...['name', 'type', 'createdAt', 'lastSeenAt'].map((sort) => ({ sort })),
      { created: 'after:2026-01-31', seen: 'before:2026-02-28' },
      // The creator of flags that the system made.
      { creator: -1337 },
    ],
    changed: [
      ...nothing({ state: 'old' }, { sort: 'stage' }, { held: 'true' }, { desc: false }, { creator: 1.5 }),
      ...nothing({ created: 'after:2026-13-01' }, { seen: 'since:2026-01-31' }, { created: 'after:2026-01-31T00:00' }),
      ...nothing({ created: ' after:2026-01-31' }, { seen: 5 }),
      ...['query', 'type', 'stage', 'tag'].flatMap(notTexts),
    ],
  },
  instance: {
    read: readInstanceSearch,
    kept: [{ tab: 'maintenance' }, { tab: 'banners' }, { tab: 'network' }],
    changed: nothing({ tab: 'statistics' }, { tab: 'plans' }),
  },
  playground: {
    read: readPlaygroundSearch,
    kept: [
      { environments: ['development', 'production'], projects: ['default'], ...query, changeRequest: 8 },
      { context: { userId: '7', country: 'NO' } },
    ],
    changed: [
      ...nothing({ environments: [] }, { environments: 'production' }, { projects: [1, null] }, { context: {} }),
      [{ environments: ['production', 3] }, { environments: ['production'] }],
      ...notTexts('query'),
      ...notIds('changeRequest'),
    ],
  },
  projects: {
    read: readProjectSearch,
    kept: [query, { ...query, archived: true }],
    changed: [...nothing({ archived: 'true' }, { archived: false }), ...notTexts('query')],
  },
  'new release template': {
    read: readCreateTemplateSearch,
    kept: [{ project: 'default' }],
    changed: notTexts('project'),
  },
  'release templates': { read: readTemplateSearch, kept: [{ archived: true }], changed: nothing({ archived: 1 }) },
  roles: { read: readRoleSearch, kept: [{ tab: 'project' }], changed: nothing({ tab: 'root' }) },
  signals: { read: readSignalSearch, kept: [{ make: true }, { edit: 3 }, { view: 3, signal: 9, ...query }] },
  strategy: {
    read: readStrategySearch,
    kept: [
      { environmentId: 'production' },
      { environmentId: 'production', strategyId: 'a-b', strategyName: 'flexibleRollout' },
      { environmentId: 'production', changeRequestId: 5, changeId: 6 },
    ],
    changed: [
      [{}, { environmentId: '' }],
      [{ changeRequestId: 5 }, { environmentId: '' }],
      [{ changeId: 6, strategyId: '' }, { environmentId: '' }],
    ],
  },
  usage: {
    read: readUsageSearch,
    kept: [{ env: 'production', application: 'shop' }, ...[24, 168, 720, 2184].map((hours) => ({ hours }))],
    changed: [...nothing({ hours: 48 }, { hours: 5 }), ...notTexts('env'), ...notTexts('application')],
  },
  users: {
    read: readUserSearch,
    kept: [query, { tab: 'inactive', page: 2 }, { tab: 'invite-links' }],
    changed: [...nothing({ tab: 'active' }), ...notPages, ...notTexts('query')],
  },
  'a list': { read: readQuerySearch, kept: [query], changed: notTexts('query') },
};

describe.each(Object.entries(pages))('the address of the page: %s', (_, { read, kept, changed = [] }) => {
  it.each(kept.map((address) => [JSON.stringify(address), address] as const))('keeps %s', (_, address) => {
    expect(read(address)).toEqual(address);
  });

  it.each(changed.map(([given, expected]) => [JSON.stringify(given), given, expected] as const))(
    'reads what is valid of %s',
    (_, given, expected) => {
      expect(read(given)).toEqual(expected);
    },
  );

  it('ignores parameters that it does not know', () => {
    for (const address of kept) expect(read({ ...address, utm: 'mail' })).toEqual(address);
  });
});

it.each(Object.entries(pages).filter(([, { kept }]) => kept.some((address) => 'query' in address)))(
  'finds a number that was typed into the address by hand: %s',
  (_, { read, kept }) => {
    const address = kept.find((each) => 'query' in each);
    expect(read({ ...address, query: 503 })).toEqual({ ...address, query: '503' });
    expect(read({ ...address, query: ' ' })).not.toHaveProperty('query');
  },
);
