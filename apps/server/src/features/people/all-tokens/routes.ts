import type { allTokenRoutes } from '@yardarm/contract';
import { actorOf } from '#features/people/access/index.ts';
import { type ApiToken, listTokensAndCreators } from '#features/people/api-tokens/index.ts';
import { deleteTokenOfAnyone, listTokensOfAll, type OwnedToken } from '#features/people/personal-tokens/index.ts';
import type { Handlers } from '#http/handler.ts';
import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';

/** Serves the list of all tokens to administrators, and deletes personal tokens of other accounts. */
export function allTokenHandlers({ db, write }: Database): Handlers<typeof allTokenRoutes> {
  return {
    'GET /api/admin/tokens': async () => {
      const [ofApi, ofAccounts] = await Promise.all([listTokensAndCreators(db), listTokensOfAll(db)]);
      const tokens = [...ofApi.map(presentApiToken), ...ofAccounts.map(presentOwned)];
      return { body: { tokens: tokens.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)) } };
    },
    'DELETE /api/admin/personal-tokens/:id': async ({ params, author }) =>
      write(author, (tx) => deleteTokenOfAnyone(tx, params.id)),
  };
}

function presentApiToken({ token, createdBy }: { readonly token: ApiToken; readonly createdBy: string | null }) {
  const { type, environment, projects } = token;
  return {
    kind: 'api' as const,
    id: token.id,
    name: token.name,
    scope: { type, environment, projects: [...projects] },
    owner: null,
    createdBy,
    ...datesOf(token),
  };
}

function presentOwned({ token, owner, createdBy }: OwnedToken) {
  return {
    kind: owner.kind === 'user' ? ('personal' as const) : ('service-account' as const),
    id: token.id,
    name: token.description,
    scope: null,
    owner: { id: owner.id, name: actorOf(owner).name },
    createdBy,
    ...datesOf(token),
  };
}

function datesOf({
  createdAt,
  expiresAt,
  seenAt,
}: {
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly seenAt: number | null;
}) {
  return {
    createdAt: isoTime(createdAt),
    expiresAt: isoTimeOrNull(expiresAt),
    seenAt: isoTimeOrNull(seenAt),
  };
}
