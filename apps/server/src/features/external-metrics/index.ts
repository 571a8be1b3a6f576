export { type AskNow, createAskNow } from './ask-now.ts';
export { type Asker, answerDelayMs, createAsker, enqueueQuestions } from './asker.ts';
export { type ExternalQuery, isCount, requireLabel, requireNames, toPromql, typeOfName } from './promql.ts';
export { refuseExternalQueries } from './refuse-without-source.ts';
export { createMetricSource, type MetricSource, type Reading } from './source.ts';
export { type Question, readingsOf } from './store.ts';
