import type { ParsedInstallation } from '@yardarm/contract';
import { ensureTags, findTags, includesTag } from '#features/flags/tags/index.ts';
import { findAccountNamed, requireDistinctName, requireRootRole } from '#features/people/access/index.ts';
import { type ApiToken, createToken, listTokens } from '#features/people/api-tokens/index.ts';
import { createUser } from '#features/people/users/index.ts';
import { createEnvironment } from '#features/projects/environments/index.ts';
import { isoTimeOrNull } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import { foldCase } from '#kernel/fold-case.ts';
import { limitFault } from '#kernel/limits.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { CurrentState } from './current-state.ts';
import { creationOf, type Operation } from './operations.ts';
import type { StateFault, StateLimits } from './options.ts';

/** Parts of an installation that cannot be created, with the reason. */
export interface Skipped {
  readonly message: string;
  readonly names: string[];
}

/** A created API token with its secret, which cannot be read later. */
export interface CreatedToken {
  readonly token: ApiToken;
  readonly secret: string;
}

/** The operations that create the missing parts of an installation. Existing parts stay unchanged. */
export interface InstallationPlan {
  readonly environments: readonly Operation[];
  readonly tags: readonly Operation[];
  /** Applied last, because they name projects and environments. */
  readonly callers: readonly Operation[];
  readonly skipped: readonly Skipped[];
  /** Filled when the plan is applied. */
  readonly createdTokens: readonly CreatedToken[];
}

type DesiredInstallation = Omit<ParsedInstallation, 'strategies'>;

export const emptyInstallation: DesiredInstallation = { environments: [], tags: [], users: [], apiTokens: [] };

/**
 * Compares a desired installation with the current one, in a constant number of statements plus three for each new
 * user.
 */
export async function compareInstallation(
  db: Db,
  current: CurrentState,
  desired: DesiredInstallation,
  limits: StateLimits,
  faults: StateFault[],
): Promise<InstallationPlan> {
  const skipped = new Map<string, Skipped>();
  const createdTokens: CreatedToken[] = [];
  return {
    environments: compareEnvironments(current, desired, limits, faults),
    tags: await compareTags(db, desired),
    callers: [
      ...(await compareUsers(db, desired, skipped)),
      ...(await compareApiTokens(db, desired, limits, faults, createdTokens)),
    ],
    get skipped() {
      return [...skipped.values()];
    },
    createdTokens,
  };
}

function compareEnvironments(
  current: CurrentState,
  { environments }: DesiredInstallation,
  limits: StateLimits,
  faults: StateFault[],
): Operation[] {
  const present = new Set(current.environments.map(({ name }) => name));
  const missing = environments.filter(({ name }) => present.size < present.add(name).size);
  if (missing.length > 0 && present.size > limits.environments) {
    const message = limitFault(limits.environments, 'environments');
    faults.push({ kind: 'environment', name: '', path: '', message });
  }
  return missing.map((environment) => {
    const { name, ...values } = environment;
    return {
      ...creationOf('environment-created', 'environment', name, values),
      run: async (tx) => void (await createEnvironment(tx, limits.environments, environment)),
    };
  });
}

async function compareTags(db: Db, { tags }: DesiredInstallation): Promise<Operation[]> {
  if (tags.length === 0) return [];
  const present = await findTags(db, tags);
  return tags
    .filter((tag) => !includesTag(present, tag))
    .map((tag) => ({
      ...creationOf('tag-created', 'tag', `${tag.type}:${tag.value}`, {}),
      run: async (tx: Tx) => void (await ensureTags(tx, [tag], () => 'type')),
    }));
}

/**
 * Users are identified by user name and e-mail address. A user whose name or role is invalid, or whose name is that of
 * another listed user, is skipped; the others are created.
 */
async function compareUsers(
  db: Db,
  { users }: DesiredInstallation,
  skipped: Map<string, Skipped>,
): Promise<Operation[]> {
  const operations: Operation[] = [];
  const plannedNames: string[] = [];
  const foundAccounts = new Set<number>();
  const skip = (message: string, name: string) =>
    skipped.set(message, { message, names: [...(skipped.get(message)?.names ?? []), name] });
  for (const user of users) {
    const names = [user.username, user.email].flatMap((name) => (name === undefined ? [] : [name, foldCase(name)]));
    const name = user.username ?? user.email ?? '';
    const account = await findAccountNamed(db, names);
    const isListedTwice =
      account === undefined
        ? names.some((text) => plannedNames.includes(text))
        : foundAccounts.size === foundAccounts.add(account.id).size;
    if (isListedTwice) skip('users whose name or e-mail address is that of another listed user, apart from case', name);
    if (isListedTwice || account !== undefined) continue;
    try {
      await requireRootRole(db, user.rootRole);
      if (user.username !== undefined) await requireDistinctName(db, user.username, plannedNames);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      skip(error.message, name);
      continue;
    }
    plannedNames.push(...names);
    operations.push({
      ...creationOf('user-created', 'user', name, user),
      run: async (tx) => void (await createUser(tx, user, null)),
    });
  }
  return operations;
}

/**
 * Returns the operations that create the missing tokens. Names are not unique, so tokens with the same name and scope
 * are counted.
 */
async function compareApiTokens(
  db: Db,
  { apiTokens }: DesiredInstallation,
  limits: StateLimits,
  faults: StateFault[],
  created: CreatedToken[],
): Promise<Operation[]> {
  if (apiTokens.length === 0) return [];
  const present = await listTokens(db);
  const unmatched = present.map((token) => tokenKey(token.name, token));
  const missing = apiTokens.filter((token) => {
    const at = unmatched.indexOf(tokenKey(token.tokenName, token));
    if (at >= 0) unmatched.splice(at, 1);
    return at < 0;
  });
  if (missing.length > 0 && present.length + missing.length > limits.apiTokens.limit) {
    const message = limitFault(limits.apiTokens.limit, 'API tokens');
    faults.push({ kind: 'api-token', name: '', path: '', message });
  }
  return missing.map(({ tokenName, ...token }) => ({
    ...creationOf('api-token-created', 'api-token', tokenName, { ...token, expiresAt: isoTimeOrNull(token.expiresAt) }),
    run: async (tx: Tx) => void created.push(await createToken(tx, limits.apiTokens, { ...token, name: tokenName })),
  }));
}

function tokenKey(name: string, { type, environment, projects }: Pick<ApiToken, 'type' | 'environment' | 'projects'>) {
  return JSON.stringify([name.trim(), type, environment, projects.toSorted()]);
}
