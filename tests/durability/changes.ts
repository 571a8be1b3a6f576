import { randomUUID } from 'node:crypto';
import type { Step } from './step.ts';

// Sequences of admin changes, from creating an object under a unique name to removing it. Every step changes something,
// so each must leave exactly its events.

export function createEndpoint(): Step {
  const name = `e-${randomUUID()}`;
  const data = { name, description: 'created', enabled: true };
  return {
    types: ['signal-endpoint-created'],
    data,
    request: { method: 'POST', path: '/api/admin/signal-endpoints', body: JSON.stringify(data) },
    next: (body) => endpointSteps(`/api/admin/signal-endpoints/${idOf(body)}`, name),
  };
}

function endpointSteps(path: string, name: string): Step[] {
  const data = { name, description: `updated ${randomUUID()}`, enabled: true };
  const token = { name: `t-${randomUUID()}` };
  const updated = { types: ['signal-endpoint-updated'] } as const;
  return [
    { ...updated, data, request: { method: 'PUT', path, body: JSON.stringify(data) } },
    { ...updated, data: { ...data, enabled: false }, request: { method: 'POST', path: `${path}/off` } },
    { ...updated, data, request: { method: 'POST', path: `${path}/on` } },
    {
      types: ['signal-endpoint-token-created'],
      data: token,
      request: { method: 'POST', path: `${path}/tokens`, body: JSON.stringify(token) },
    },
    // Does not delete every second endpoint, so that the audit finds some.
    ...(name > 'e-8'
      ? [{ types: ['signal-endpoint-deleted'] as const, data, request: { method: 'DELETE', path } }]
      : []),
  ];
}

export function createApiToken(): Step {
  const tokenName = `a-${randomUUID()}`;
  const body = JSON.stringify({ tokenName, type: 'backend', environment: 'development' });
  return {
    types: ['api-token-created'],
    data: { tokenName, expiresAt: null },
    request: { method: 'POST', path: '/api/admin/api-tokens', body },
    next: (created) => apiTokenSteps(`/api/admin/api-tokens/${idOf(created)}`, tokenName),
  };
}

function apiTokenSteps(path: string, tokenName: string): Step[] {
  const expiresAt = '2099-01-01T00:00:00.000Z';
  const data = { tokenName, expiresAt };
  return [
    { types: ['api-token-updated'], data, request: { method: 'PUT', path, body: JSON.stringify({ expiresAt }) } },
    { types: ['api-token-deleted'], data, request: { method: 'DELETE', path } },
  ];
}

export function createFlag(): Step {
  const name = `f-${randomUUID()}`;
  const path = '/api/admin/projects/default/features';
  const data = { name, description: 'created' };
  return {
    types: ['feature-created'],
    data,
    feature: name,
    request: { method: 'POST', path, body: JSON.stringify(data) },
    next: () => flagSteps(`${path}/${name}`, name),
  };
}

function flagSteps(path: string, feature: string): Step[] {
  const updated = { description: `updated ${randomUUID()}` };
  const toggle = (to: 'on' | 'off', types: Step['types']): Step => {
    const request = { method: 'POST', path: `${path}/environments/development/${to}` };
    return { types, data: {}, feature, request };
  };
  return [
    // A flag without strategies gets one for everyone: two events of one change.
    toggle('on', ['feature-strategy-add', 'feature-environment-enabled']),
    toggle('off', ['feature-environment-disabled']),
    {
      types: ['feature-metadata-updated'],
      data: updated,
      feature,
      request: { method: 'PUT', path, body: JSON.stringify(updated) },
    },
    toggle('on', ['feature-environment-enabled']),
    ...(feature > 'f-8'
      ? [{ types: ['feature-archived'] as const, data: {}, feature, request: { method: 'DELETE', path } }]
      : []),
  ];
}

function idOf(body: unknown): number {
  return (body as { id: number }).id;
}
