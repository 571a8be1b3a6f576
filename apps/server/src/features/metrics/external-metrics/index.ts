export { createReadPast } from './past-readings.ts';
export { type ExternalQuery, isCount, requireLabel, requireNames, toPromql, typeOfName } from './promql.ts';
export { createQueryNow, type QueryNow } from './query-now.ts';
export { answerDelayMs, createQueryRunner, enqueueQueries, type QueryRunner } from './query-runner.ts';
export { refuseExternalQueries } from './refuse-without-source.ts';
export { createMetricSource, failureReasons, type MetricSource, queryResults, type Reading } from './source.ts';
export { type InstantQuery, readingsOf } from './store.ts';
