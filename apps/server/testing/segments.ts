import { freshName } from './flags.ts';
import type { TestServer } from './server.ts';

export interface GivenSegment {
  readonly id: number;
  readonly name: string;
}

/** Creates a shared segment with the constraint that the country is Norway. */
export async function givenSegment(server: TestServer, more: object = {}): Promise<GivenSegment> {
  const constraints = [{ contextName: 'country', operator: 'IN', values: ['NO'] }];
  const body = { name: freshName('segment'), constraints, ...more };
  const reply = await server.admin.call('POST /api/admin/segments', { body });
  if (reply.status !== 201) throw new Error(`creating a segment answered ${reply.status}: ${reply.text}`);
  return { id: reply.json.id, name: reply.json.name };
}
