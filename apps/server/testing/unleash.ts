import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Returns what an Unleash 8.2 answered, as tests/unleash keeps it. */
export function readRecorded(name: 'api-answers' | 'export-development') {
  const file = new URL(`../../../tests/unleash/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
}

/** Returns the body of a recorded answer of the admin API. */
export function recordedAnswer(path: string) {
  const { answers } = readRecorded('api-answers');
  return answers[path].body;
}
