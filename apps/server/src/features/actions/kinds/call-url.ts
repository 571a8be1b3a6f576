import { z } from 'zod';
import { Problem } from '../../../kernel/errors.ts';
import { checkHeaderValue, headersIn, hidden, inJson, isJsonType, urlProblem } from '../../outbound/index.ts';
import { namesRun, sampleOf } from '../matching/index.ts';
import { defineKind, ofProject, type Parameters } from './kind.ts';

const usualType = 'application/json';

const params = z.strictObject({
  project: z.string(),
  url: z.string().min(1).max(4000),
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE', 'GET']),
  headers: z.string().max(16_000).default(''),
  contentType: z.string().max(200).default(usualType),
  body: z.string().max(200_000).default(''),
});

export const callUrl = defineKind({
  label: 'Call a URL',
  description:
    'Sends a request to a system outside after the run is recorded, again when it fails; the record of the run tells what came of it',
  category: 'Other systems',
  permission: 'CREATE_ADDON',
  parameters: [
    ofProject,
    { name: 'method', label: 'Method', type: 'select', optional: false, options: params.shape.method.options },
    {
      name: 'url',
      label: 'URL; {{item.labels.service}} may stand in its path and query, not in its host',
      type: 'text',
      optional: false,
    },
    { name: 'headers', label: 'Headers, a JSON object; not shown again', type: 'text', optional: true, secret: true },
    { name: 'contentType', label: 'Content-Type, usually application/json', type: 'text', optional: true },
    {
      name: 'body',
      label: 'Body, such as {{item.fingerprint}} or {{run.url}}; in JSON {{…}} stands inside quotes',
      type: 'text',
      optional: true,
    },
  ],
  schema: params,
  outbound: {
    urlOf: ({ url }) => sampleOf(textOf(url)),
    // Who may change a set could have its secrets sent to themselves.
    keepsSecrets: (before, after) => originOf(before['url']) === originOf(after['url']),
    recorded: ({ url, headers, body, ...rest }) => ({
      ...rest,
      url: `${originOf(url)}/…`,
      ...(headers === undefined ? {} : { headers: hidden }),
      ...(body === undefined ? {} : { body: hidden }),
    }),
    check: problemOf,
    quote: (name, { contentType }) => {
      if (name === 'url') return encoded;
      if (name === 'headers') return inJson;
      return bodyQuote(textOf(contentType, usualType));
    },
  },
  run: async (_tx, { method, url, headers, contentType, body }) => {
    if (dotted(url)) throw new Problem('BadDataError', 'The payload makes a part of the path of the URL . or ..');
    try {
      if (isJsonType(contentType) && body !== '') JSON.parse(body);
    } catch {
      throw new Problem('BadDataError', 'What the payload makes of the body is no JSON.');
    }
    let own: Record<string, string>;
    try {
      own = headersIn(headers);
    } catch {
      throw new Problem('BadDataError', 'What the payload makes of the headers cannot stand in headers.');
    }
    const type = body === '' ? {} : { 'content-type': contentType };
    return { call: { method, url, headers: { ...own, ...type }, body } };
  },
});

/** What is wrong with the parameters, whatever the payload will be. */
function problemOf({ url, method, headers, contentType, body }: Parameters) {
  const problem = urlProblem(sampleOf(textOf(url)));
  if (problem !== undefined) return { name: 'url', problem };
  if (!authority.test(textOf(url)) || textOf(url).includes('#'))
    return { name: 'url', problem: 'must name the host itself, followed by /, and have no fragment' };
  if (dotted(textOf(url))) return { name: 'url', problem: 'must not have . or .. in its path' };
  if (namesRun(textOf(url)))
    return {
      name: 'url',
      problem: 'must not name the run, because the cool-down compares URLs; name it in the body or headers',
    };
  for (const [name, value] of Object.entries({ method, contentType }))
    if (textOf(value).includes('{{')) return { name, problem: 'must not come from the payload' };
  try {
    checkHeaderValue(textOf(contentType));
  } catch {
    return { name: 'contentType', problem: 'must hold only what HTTP allows in headers' };
  }
  try {
    const own = headersIn(sampleOf(textOf(headers)));
    const reserved = Object.keys(own).find((header) => /^(idempotency-key|yardarm-run-id)$/i.test(header));
    if (reserved !== undefined) return { name: 'headers', problem: `must not set ${reserved}` };
  } catch (error) {
    return { name: 'headers', problem: error instanceof Error ? error.message : 'is wrong' };
  }
  if (textOf(body) === '') return undefined;
  if (method === 'GET') return { name: 'body', problem: 'must not be there with GET' };
  if (!isJsonType(textOf(contentType, usualType))) return undefined;
  try {
    JSON.parse(sampleOf(textOf(body)));
    return undefined;
  } catch {
    return { name: 'body', problem: 'must be JSON, with {{…}} only inside quotes' };
  }
}

/** Scheme and host, before anything that a payload could say. */
const authority = /^https?:\/\/[^/?#\\{}\s]+(\/|$)/i;

function textOf(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}

function originOf(url: unknown): string {
  const sample = sampleOf(textOf(url));
  return URL.canParse(sample) ? new URL(sample).origin : '';
}

/** Whether a part of the path would be read as this folder or the one above, and so another path be called. */
function dotted(url: string): boolean {
  const [path = ''] = url.replace(authority, '/').split('?');
  return path.split(/[/\\]/).some((part) => /^(\.|%2e){1,2}$/i.test(part));
}

/** Text as it stands in a part of a path, or in a value of a query. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function bodyQuote(contentType: string): (text: string) => string {
  if (isJsonType(contentType)) return inJson;
  return /^application\/x-www-form-urlencoded\b/i.test(contentType) ? encoded : (text) => text;
}
