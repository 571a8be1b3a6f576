import { describe, expect, it } from 'vitest';
import { readPath } from './claim-path.ts';

const claims = {
  groups: ['a', 'b'],
  one: 'a',
  realm_access: { roles: ['admin'] },
  'https://example.com/groups': ['x'],
  'with.dot': ['dotted'],
  teams: [{ name: 'red', tags: ['t1', 't2'] }, { name: 'blue' }, 'no team'],
};

describe('a path in claims', () => {
  it.each([
    ['groups', ['a', 'b']],
    ['$.groups', ['a', 'b']],
    ['one', 'a'],
    ['realm_access.roles', ['admin']],
    ['$.realm_access.roles', ['admin']],
    ["$['realm_access'].roles", ['admin']],
    ['https://example.com/groups', ['x']],
    ["['https://example.com/groups']", ['x']],
    ['$["https://example.com/groups"]', ['x']],
    ['with.dot', ['dotted']],
    ['teams[*].name', ['red', 'blue']],
    ['teams.name', ['red', 'blue']],
    ['teams[*].tags', ['t1', 't2']],
    ['teams[1].name', 'blue'],
    ['groups[*]', ['a', 'b']],
    ['groups[0]', 'a'],
  ])('%s returns %j', (path, found) => {
    expect(readPath(claims, path)).toEqual(found);
  });

  it.each(['', 'nothing', 'groups.x.y.z', 'one.length', '__proto__', 'constructor', 'groups[', 'a]b', '...'])(
    '%j leads nowhere',
    (path) => {
      expect([readPath(claims, path)].flat()).toEqual(path === 'groups.x.y.z' ? [] : [undefined]);
    },
  );
});
