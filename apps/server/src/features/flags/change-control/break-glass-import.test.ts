import { describe, expect, it } from 'vitest';
import {
  breakGlassPermission,
  givenBreakGlassRole,
  givenPerson,
  givenReviewed,
  glass,
  usesSeenBy,
} from '#testing/break-glass.ts';
import { freshName } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const ownerRole = 4;

describe('breaking glass for an import', () => {
  const server = useServer({ bindingReview: true });
  const validate = 'POST /api/admin/features-batch/validate';
  const bringIn = 'POST /api/admin/features-batch/import';

  async function givenImport() {
    const { projectId: project, featureName, environment } = await givenReviewed(server());
    const data = {
      features: [{ name: featureName }],
      featureEnvironments: [{ name: environment, featureName, environment, enabled: true }],
      featureStrategies: [{ name: 'default', featureName }],
    };
    return { project, environment, data };
  }

  it('is offered when only the review is missing', async () => {
    const body = await givenImport();
    const breaker = await givenPerson(server(), body.project, [ownerRole, await givenBreakGlassRole(server())]);
    const { headers } = breaker;
    const checked = await server().anonymous.call(validate, { body, headers });
    expect(checked.json).toMatchObject({ errors: [], breakGlass: true, permissions: [{}] });
    const refused = await server().anonymous.call(bringIn, { body, headers });
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({
      name: 'PermissionError',
      permissions: [breakGlassPermission],
      breakGlass: true,
    });
    const done = await server().anonymous.call(bringIn, { body, headers: { ...headers, ...glass('Restore, INC-7') } });
    expect(done.status, done.text).toBe(200);
    expect(await usesSeenBy(server(), headers)).toMatchObject([{ reason: 'Restore, INC-7' }]);
  });

  it('lists the first 50 changes', async () => {
    const { project, environment } = await givenImport();
    const features = Array.from({ length: 51 }, () => ({ name: freshName('flag') }));
    const featureEnvironments = features.map(({ name: featureName }) => {
      return { name: environment, featureName, environment, enabled: true };
    });
    const body = { project, environment, data: { features, featureEnvironments, featureStrategies: [] } };
    const { headers } = await givenPerson(server(), project, [ownerRole, await givenBreakGlassRole(server())]);
    const done = await server().anonymous.call(bringIn, { body, headers: { ...headers, ...glass('Restore') } });
    expect(done.status, done.text).toBe(200);
    expect((await usesSeenBy(server(), headers))[0]?.changes).toHaveLength(50);
  });

  it('is not offered without the permission, or when another permission is missing too', async () => {
    const body = await givenImport();
    const owner = await givenPerson(server(), body.project, [ownerRole]);
    const breaker = await givenPerson(server(), body.project, [await givenBreakGlassRole(server())]);
    for (const { headers } of [owner, breaker]) {
      expect((await server().anonymous.call(validate, { body, headers })).json).toMatchObject({ breakGlass: false });
      const refused = await server().anonymous.call(bringIn, { body, headers });
      expect(refused.status).toBe(403);
      expect(refused.json).not.toHaveProperty('breakGlass');
    }
  });
});
