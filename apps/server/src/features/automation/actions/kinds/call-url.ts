import { z } from 'zod';
import {
  checkHeaderValue,
  escapeJson,
  findUrlProblem,
  isJsonType,
  maskedSecret,
  parseHeaders,
} from '#features/platform/outbound/index.ts';
import { Problem } from '#kernel/errors.ts';
import { fillWithSample, usesRunValues } from '../matching/index.ts';
import { defineKind, type Parameters, projectParameter } from './kind.ts';

const defaultContentType = 'application/json';

const params = z.strictObject({
  project: z.string(),
  url: z.string().min(1).max(4000),
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE', 'GET']),
  headers: z.string().max(16_000).default(''),
  contentType: z.string().max(200).default(defaultContentType),
  body: z.string().max(200_000).default(''),
});

export const callUrl = defineKind({
  label: 'Call a URL',
  description: 'Sends an HTTP request after the run has been recorded, with retries. The run shows the result',
  category: 'Other systems',
  permission: 'CREATE_ADDON',
  parameters: [
    projectParameter,
    { name: 'method', label: 'Method', type: 'select', optional: false, options: params.shape.method.options },
    {
      name: 'url',
      label: 'URL; templates such as {{item.labels.service}} are allowed in the path and query, not in the host',
      type: 'text',
      optional: false,
    },
    {
      name: 'headers',
      label: 'Headers, a JSON object; a secret that is not shown again',
      type: 'text',
      optional: true,
      secret: true,
    },
    { name: 'contentType', label: 'Content-Type, usually application/json', type: 'text', optional: true },
    {
      name: 'body',
      label: 'Body, with templates such as {{item.fingerprint}} or {{run.url}}; in JSON, put {{…}} inside quotes',
      type: 'text',
      optional: true,
    },
  ],
  schema: params,
  outbound: {
    urlOf: ({ url }) => fillWithSample(textOf(url)),
    // Secrets are kept only for the same host: otherwise a user who may change the set could send them to another one.
    keepsSecrets: (before, after) => originOf(before['url']) === originOf(after['url']),
    recorded: ({ url, headers, body, ...rest }) => ({
      ...rest,
      url: `${originOf(url)}/…`,
      ...(headers === undefined ? {} : { headers: maskedSecret }),
      ...(body === undefined ? {} : { body: maskedSecret }),
    }),
    check: findParameterProblem,
    escapeFor: (name, { contentType }) => {
      if (name === 'url') return encodeUrlPart;
      if (name === 'headers') return escapeJson;
      return bodyEscape(textOf(contentType, defaultContentType));
    },
  },
  run: async (_tx, { method, url, headers, contentType, body }) => {
    if (hasDotSegment(url))
      throw new Problem(
        'BadDataError',
        'A value from the payload turns a segment of the URL path into "." or "..", which is not allowed.',
      );
    try {
      if (isJsonType(contentType) && body !== '') JSON.parse(body);
    } catch {
      throw new Problem('BadDataError', 'The body is not valid JSON after values from the payload are filled in.');
    }
    let own: Record<string, string>;
    try {
      own = parseHeaders(headers);
    } catch {
      throw new Problem('BadDataError', 'The headers are not valid after values from the payload are filled in.');
    }
    const type = body === '' ? {} : { 'content-type': contentType };
    return { call: { method, url, headers: { ...own, ...type }, body } };
  },
});

/** Returns the first error that does not depend on the payload. */
function findParameterProblem({ url, method, headers, contentType, body }: Parameters) {
  const problem = findUrlProblem(fillWithSample(textOf(url)));
  if (problem !== undefined) return { name: 'url', problem };
  if (!authority.test(textOf(url)) || textOf(url).includes('#'))
    return { name: 'url', problem: 'must name the host without templates, followed by /, and have no fragment' };
  if (hasDotSegment(textOf(url))) return { name: 'url', problem: 'must not have . or .. in its path' };
  if (usesRunValues(textOf(url)))
    return {
      name: 'url',
      problem: 'must not contain {{run.…}}, because the cool-down compares URLs; use it in the body or headers',
    };
  for (const [name, value] of Object.entries({ method, contentType }))
    if (textOf(value).includes('{{')) return { name, problem: 'must not come from the payload' };
  try {
    checkHeaderValue(textOf(contentType));
  } catch {
    return { name: 'contentType', problem: 'must contain only characters that HTTP allows in headers' };
  }
  try {
    const own = parseHeaders(fillWithSample(textOf(headers)));
    const reserved = Object.keys(own).find((header) =>
      /^(idempotency-key|yardarm-run-id|webhook-(id|timestamp|signature))$/i.test(header),
    );
    if (reserved !== undefined) return { name: 'headers', problem: `must not set ${reserved}` };
  } catch (error) {
    return { name: 'headers', problem: error instanceof Error ? error.message : 'is invalid' };
  }
  if (textOf(body) === '') return undefined;
  if (method === 'GET') return { name: 'body', problem: 'must be empty with GET' };
  if (!isJsonType(textOf(contentType, defaultContentType))) return undefined;
  try {
    JSON.parse(fillWithSample(textOf(body)));
    return undefined;
  } catch {
    return { name: 'body', problem: 'must be JSON, with {{…}} only inside quotes' };
  }
}

/** Matches the scheme and host, which must not contain a template. */
const authority = /^https?:\/\/[^/?#\\{}\s]+(\/|$)/i;

function textOf(value: unknown, fallback = ''): string {
  return typeof value === 'string' ? value : fallback;
}

function originOf(url: unknown): string {
  const sample = fillWithSample(textOf(url));
  return URL.canParse(sample) ? new URL(sample).origin : '';
}

/** Returns whether the path has a `.` or `..` segment, which would lead to another path. */
function hasDotSegment(url: string): boolean {
  const [path = ''] = url.replace(authority, '/').split('?');
  return path.split(/[/\\]/).some((part) => /^(\.|%2e){1,2}$/i.test(part));
}

/** Escapes text for a path segment or a query value. */
function encodeUrlPart(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function bodyEscape(contentType: string): (text: string) => string {
  if (isJsonType(contentType)) return escapeJson;
  return /^application\/x-www-form-urlencoded\b/i.test(contentType) ? encodeUrlPart : (text) => text;
}
