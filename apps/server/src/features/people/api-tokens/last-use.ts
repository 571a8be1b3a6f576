import type { Db } from '#storage/tx.ts';
import { sdkTokenTypes } from './token.ts';

/** The last use of an SDK token, in milliseconds UTC. */
interface TokenUse {
  readonly environment: string;
  readonly type: 'client' | 'backend' | 'frontend';
  readonly seenAt: number;
}

/** Returns the last use of SDK tokens that read a project, by environment and type. One statement. */
export async function tokenUseOf(db: Db, project: string): Promise<TokenUse[]> {
  return db
    .selectFrom('api_tokens as t')
    .select((eb) => [
      't.environment',
      eb.ref('t.type').$castTo<TokenUse['type']>().as('type'),
      eb.fn.max('t.seen_at').$castTo<number>().as('seenAt'),
    ])
    .where('t.type', 'in', sdkTokenTypes)
    .where('t.seen_at', 'is not', null)
    .where((eb) => {
      const scopes = eb.selectFrom('api_token_projects as p').select('p.token_id').whereRef('p.token_id', '=', 't.id');
      // A token without rows in api_token_projects is valid for all projects.
      return eb.or([eb.exists(scopes.where('p.project', '=', project)), eb.not(eb.exists(scopes))]);
    })
    .groupBy(['t.environment', 't.type'])
    .orderBy('t.environment')
    .orderBy('t.type')
    .execute();
}
