import { describe, expect, it } from 'vitest';
import { groupsOf, keyOf } from './permission-groups.ts';

const permission = (name: string, type = 'root', environment?: string) => ({
  id: 1,
  name,
  displayName: name,
  type,
  ...(environment === undefined ? {} : { environment }),
});

describe('groupsOf()', () => {
  const all = {
    root: [
      permission('RELEASE_PLAN_TEMPLATE_CREATE'),
      permission('CREATE_SEGMENT'),
      permission('UPDATE_CORS'),
      permission('CREATE_CLIENT_API_TOKEN'),
      permission('CREATE_FRONTEND_API_TOKEN'),
    ],
    project: [permission('CREATE_FEATURE', 'project'), permission('PROJECT_SETTINGS_READ', 'project')],
    environments: [
      { name: 'production', permissions: [permission('UPDATE_FEATURE_ENVIRONMENT', 'environment', 'production')] },
    ],
  };
  const groups = (ofProjects: boolean) =>
    groupsOf(all, ofProjects).map(({ title, permissions }) => [title, permissions.map(keyOf)]);

  it('groups root permissions by subject', () => {
    expect(groups(false)).toEqual([
      ['API tokens', ['CREATE_CLIENT_API_TOKEN ', 'CREATE_FRONTEND_API_TOKEN ']],
      ['Segments', ['CREATE_SEGMENT ']],
      ['Release templates', ['RELEASE_PLAN_TEMPLATE_CREATE ']],
      ['Instance', ['UPDATE_CORS ']],
    ]);
  });

  it('groups project permissions by environment, and leaves out those without effect', () => {
    expect(groups(true)).toEqual([
      ['Project', ['CREATE_FEATURE ']],
      ['Environment production', ['UPDATE_FEATURE_ENVIRONMENT production']],
    ]);
  });
});
