import type { RouteKey, RouteSpec, RouteTable } from '@yardarm/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#kernel/errors.ts';

/** The header that names the query parameters that were ignored. */
const unknownParametersHeader = 'x-unknown-parameters';
const longestHeader = 1000;

/** Checks the names of the query parameters of a request. */
export type QueryCheck = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Returns the checks of the query parameters of a table of routes, for routes of the admin API. A parameter that other
 * routes of the table know is refused with 400 where the route does not know it: the caller would take the answer to
 * another question for the answer to its own. Parameters that no route knows, which scripts for Unleash may send, are
 * ignored and named in a header: refusing them would break those scripts. A header alone is not enough for the others,
 * because scripts do not read it.
 * Routes for SDKs take any parameter, because SDKs cannot be changed, and a refused poll would leave them without
 * flags.
 */
export function queryChecks(table: RouteTable): (key: RouteKey, spec: RouteSpec) => QueryCheck | undefined {
  const knownSomewhere = new Set(Object.values(table).flatMap(parametersOf));
  return (key, spec) => {
    if (!key.includes(' /api/admin/')) return undefined;
    const own = new Set(parametersOf(spec));
    return (request, reply) => {
      const others = Object.keys(request.query as object).filter((name) => !own.has(name));
      if (others.length === 0) return;
      const refused = others.find((name) => knownSomewhere.has(name));
      if (refused !== undefined) throw notForThisRoute(refused, key, own);
      reply.header(unknownParametersHeader, others.map(encodeURIComponent).join(', ').slice(0, longestHeader));
    };
  };
}

function parametersOf({ query }: RouteSpec): string[] {
  return query === undefined ? [] : Object.keys(query.shape);
}

function notForThisRoute(name: string, key: RouteKey, own: ReadonlySet<string>): Problem {
  const known = own.size === 0 ? 'It takes no query parameters.' : `It takes ${[...own].join(', ')}.`;
  const message = `${key} does not take the query parameter ${name}. ${known} Leave ${name} out, or use a route that takes it.`;
  return new Problem('BadDataError', message, {
    details: [{ path: name, message: `${name}: is not a parameter of this route` }],
  });
}
