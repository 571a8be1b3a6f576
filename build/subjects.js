/**
 * The subjects of the server's features, top first: the folders of `apps/server/src/features`. A feature imports
 * features of its own subject and of lower ones. Architecture, decision records and the reference of routes keep this
 * order.
 */
export const subjects = [
  'as-code',
  'review',
  'integrations',
  'automation',
  'releases',
  'log',
  'sdks',
  'metrics',
  'flags',
  'projects',
  'signals',
  'people',
  'platform',
];
