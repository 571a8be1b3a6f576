import { describe, expect, it } from 'vitest';
import { groupsOf, keyOf } from './permission-groups.ts';

const one = (name: string, type = 'root', environment?: string) => ({
  id: 1,
  name,
  displayName: name,
  type,
  ...(environment === undefined ? {} : { environment }),
});

describe('what a role can grant', () => {
  const all = {
    root: [
      one('RELEASE_PLAN_TEMPLATE_CREATE'),
      one('CREATE_SEGMENT'),
      one('UPDATE_CORS'),
      one('CREATE_CLIENT_API_TOKEN'),
      one('CREATE_FRONTEND_API_TOKEN'),
    ],
    project: [one('CREATE_FEATURE', 'project'), one('PROJECT_SETTINGS_READ', 'project')],
    environments: [
      { name: 'production', permissions: [one('UPDATE_FEATURE_ENVIRONMENT', 'environment', 'production')] },
    ],
  };
  const told = (ofProjects: boolean) =>
    groupsOf(all, ofProjects).map(({ title, permissions }) => [title, permissions.map(keyOf)]);

  it('everywhere is by what it is about, each permission that opens something once', () => {
    expect(told(false)).toEqual([
      ['API tokens', ['CREATE_CLIENT_API_TOKEN ', 'CREATE_FRONTEND_API_TOKEN ']],
      ['Segments', ['CREATE_SEGMENT ']],
      ['Instance', ['UPDATE_CORS ']],
    ]);
  });

  it('in projects is by environment', () => {
    expect(told(true)).toEqual([
      ['Project', ['CREATE_FEATURE ']],
      ['Environment production', ['UPDATE_FEATURE_ENVIRONMENT production']],
    ]);
  });
});
