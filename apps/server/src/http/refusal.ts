import type { FastifyRequest } from 'fastify';
import type { Actor } from '#kernel/actor.ts';
import type { Problem } from '#kernel/errors.ts';

/** A request of an identified caller of the admin API that would have changed data and was answered 403. */
export interface Refusal {
  readonly actor: Actor;
  /** Method and path of the route, with placeholders. */
  readonly route: string;
  /** The permissions, one of which was needed; empty when the request was refused for another reason. */
  readonly permissions: readonly string[];
  /** The client's IPv4 address or IPv6 network. */
  readonly address: string;
}

/**
 * Returns the refusal to record when `problem` is the answer to `request`; undefined when the request only reads, its
 * caller is not identified, or the answer is not a 403.
 */
export function refusalOf(request: FastifyRequest, problem: Problem): Refusal | undefined {
  const { caller, method } = request;
  const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  if (problem.status !== 403 || reads || caller === undefined || !('actor' in caller)) return undefined;
  const { permissions } = problem.extras as { readonly permissions?: readonly string[] };
  return {
    actor: caller.actor,
    route: `${method} ${request.routeOptions.url ?? ''}`,
    permissions: permissions ?? [],
    address: request.info?.clientAddress ?? '',
  };
}
