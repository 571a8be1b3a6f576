import { describe, expect, it } from 'vitest';
import { givenDependency, givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const features = '/api/admin/projects/:projectId/features/:featureName' as const;

const kinds = [
  { enabled: true, variants: [] },
  { enabled: true, variants: ['blue', 'green'] },
  { enabled: false, variants: [] },
];

describe('a dependency', () => {
  it.each(kinds)(
    'on a parent with $enabled and $variants comes back as it was after export and import',
    async (kind) => {
      const { parent, ...params } = await givenDependency(server(), kind);
      const dependenciesIn = async (projectId: string) =>
        (await server().admin.call(`GET ${features}`, { params: { ...params, projectId } })).json.dependencies;
      const before = await dependenciesIn(params.projectId);
      expect(before).toMatchObject([{ feature: parent, enabled: kind.enabled }]);
      expect(before[0].variants ?? []).toEqual(kind.variants);
      const names = [params.featureName, parent];
      const body = { environment: 'development', features: names };
      const { json: data } = await server().admin.call('POST /api/admin/features-batch/export', { body });
      expect(data.dependencies).toEqual([
        { feature: params.featureName, dependencies: [{ feature: parent, ...kind }] },
      ]);
      // The names are free again when the flags are archived and deleted.
      for (const [route, name] of names.flatMap(
        (name) =>
          [
            ['archive', name],
            ['delete', name],
          ] as const,
      )) {
        const batch = { params: { projectId: params.projectId }, body: { features: [name] } };
        await server().admin.call(`POST /api/admin/projects/:projectId/${route}`, batch);
      }
      const project = await givenProject(server());
      const imported = await server().admin.call('POST /api/admin/features-batch/import', {
        body: { project, environment: 'development', data },
      });
      expect(imported.status, imported.text).toBe(200);
      expect(await dependenciesIn(project)).toEqual(before);
    },
  );
});
