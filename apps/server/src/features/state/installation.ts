import type { ParsedInstallation } from '@yardarm/contract';
import { isoTimeOrNull } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { findAccountNamed, requireDistinctName, requireRootRole } from '../access/index.ts';
import { type ApiToken, createToken, listTokens } from '../api-tokens/index.ts';
import { createEnvironment } from '../environments/index.ts';
import { ensureTags, findTags, includesTag } from '../tags/index.ts';
import { createUser } from '../users/index.ts';
import { type Operation, planned } from './operations.ts';
import type { StateFault, StateLimits } from './options.ts';
import type { World } from './world.ts';

/** Parts of an installation that cannot be created, and why. */
export interface Skipped {
  readonly message: string;
  readonly names: string[];
}

/** An API token that was created, with its secret, which nothing else tells. */
export interface CreatedToken {
  readonly token: ApiToken;
  readonly secret: string;
}

/** What is to be done for an installation to have what is wanted. What it has stays as it is. */
export interface InstallationPlan {
  readonly environments: readonly Operation[];
  readonly tags: readonly Operation[];
  /** Made last: they name projects and environments. */
  readonly callers: readonly Operation[];
  readonly skipped: readonly Skipped[];
  /** Filled by making the plan real. */
  readonly createdTokens: readonly CreatedToken[];
}

type Wanted = Omit<ParsedInstallation, 'strategies'>;

export const nothingBesides: Wanted = { environments: [], tags: [], users: [], apiTokens: [] };

/** Compares what an installation is to have with what it has. A constant number of statements, and three for each new user. */
export async function compareInstallation(
  db: Db,
  world: World,
  wanted: Wanted,
  limits: StateLimits,
  faults: StateFault[],
): Promise<InstallationPlan> {
  const skipped = new Map<string, Skipped>();
  const createdTokens: CreatedToken[] = [];
  return {
    environments: compareEnvironments(world, wanted, limits, faults),
    tags: await compareTags(db, wanted),
    callers: [
      ...(await compareUsers(db, wanted, skipped)),
      ...(await compareApiTokens(db, wanted, limits, faults, createdTokens)),
    ],
    get skipped() {
      return [...skipped.values()];
    },
    createdTokens,
  };
}

function compareEnvironments(
  world: World,
  { environments }: Wanted,
  limits: StateLimits,
  faults: StateFault[],
): Operation[] {
  const present = new Set(world.environments.map(({ name }) => name));
  const missing = environments.filter(({ name }) => present.size < present.add(name).size);
  if (missing.length > 0 && present.size > limits.environments) {
    const message = `the limit of ${limits.environments} environments would be passed`;
    faults.push({ kind: 'environment', name: '', path: '', message });
  }
  return missing.map((one) => {
    const { name, ...values } = one;
    return {
      ...planned('environment-created', 'environment', name, values),
      run: async (tx) => void (await createEnvironment(tx, limits.environments, one)),
    };
  });
}

async function compareTags(db: Db, { tags }: Wanted): Promise<Operation[]> {
  if (tags.length === 0) return [];
  const present = await findTags(db, tags);
  return tags
    .filter((tag) => !includesTag(present, tag))
    .map((tag) => ({
      ...planned('tag-created', 'tag', `${tag.type}:${tag.value}`, {}),
      run: async (tx: Tx) => void (await ensureTags(tx, [tag], () => 'type')),
    }));
}

/** Users are known by user name and e-mail address. One whose name or role is refused is skipped; the others are created. */
async function compareUsers(db: Db, { users }: Wanted, skipped: Map<string, Skipped>): Promise<Operation[]> {
  const operations: Operation[] = [];
  const given: string[] = [];
  for (const user of users) {
    const names = [user.username, user.email].flatMap((name) => (name === undefined ? [] : [name, name.toLowerCase()]));
    const name = user.username ?? user.email ?? '';
    if ((await findAccountNamed(db, names)) !== undefined || names.some((one) => given.includes(one))) continue;
    try {
      await requireRootRole(db, user.rootRole);
      if (user.username !== undefined) await requireDistinctName(db, user.username, given);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { message } = error;
      skipped.set(message, { message, names: [...(skipped.get(message)?.names ?? []), name] });
      continue;
    }
    given.push(...names);
    operations.push({
      ...planned('user-created', 'user', name, user),
      run: async (tx) => void (await createUser(tx, user, null)),
    });
  }
  return operations;
}

/** Creates as many tokens of a name and scope as are missing: names are not unique. */
async function compareApiTokens(
  db: Db,
  { apiTokens }: Wanted,
  limits: StateLimits,
  faults: StateFault[],
  created: CreatedToken[],
): Promise<Operation[]> {
  if (apiTokens.length === 0) return [];
  const present = await listTokens(db);
  const free = present.map((one) => scopeOf(one.name, one));
  const missing = apiTokens.filter((one) => {
    const at = free.indexOf(scopeOf(one.tokenName, one));
    if (at >= 0) free.splice(at, 1);
    return at < 0;
  });
  if (present.length + missing.length > limits.apiTokens.limit) {
    const message = `the limit of ${limits.apiTokens.limit} API tokens would be passed`;
    faults.push({ kind: 'api-token', name: '', path: '', message });
  }
  return missing.map(({ tokenName, ...one }) => ({
    ...planned('api-token-created', 'api-token', tokenName, { ...one, expiresAt: isoTimeOrNull(one.expiresAt) }),
    run: async (tx: Tx) => void created.push(await createToken(tx, limits.apiTokens, { ...one, name: tokenName })),
  }));
}

function scopeOf(name: string, { type, environment, projects }: Pick<ApiToken, 'type' | 'environment' | 'projects'>) {
  return JSON.stringify([name.trim(), type, environment, projects.toSorted()]);
}
