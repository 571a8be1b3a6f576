import type { Language } from './language.ts';

export const curl: Language = {
  id: 'curl',
  label: 'curl',
  kind: 'Any',
  token: 'backend',
  sdk: null,
  isRun: true,
  install: null,
  syntax: 'sh',
  note: 'The field “value” of the answer has the state of the flag. Any language can send this request, which is OpenFeature’s protocol OFREP.',
  code: ({ url, token, flag, appName }) => `curl -X POST '${url}/ofrep/v1/evaluate/flags/${flag}' \\
  -H 'Authorization: ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"context": {"targetingKey": "user-1", "appName": "${appName}"}}'
`,
};
