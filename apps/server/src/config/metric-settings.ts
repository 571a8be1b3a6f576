import { type Settings, serverAddress, text, wholeNumber } from './setting-types.ts';

/** The settings of impact metrics, which SDKs report, and of external metrics, which a Prometheus server has. */
export const metricSettings = {
  impactMetricSeriesLimit: {
    names: ['YARDARM_IMPACT_METRIC_SERIES_LIMIT'],
    value: wholeNumber(0, 100_000).default(2000),
    meaning:
      'Highest number of time series of impact metrics. A histogram is one for each bucket and two more. Tokens of the same projects, other than those of all projects, get at most half of them. Reports of further series are dropped and counted.',
  },
  prometheusUrl: {
    names: ['YARDARM_PROMETHEUS_URL'],
    value: serverAddress.optional(),
    secret: true,
    meaning:
      'Prometheus-compatible server whose metrics safeguards and gates of milestones can read, such as https://prometheus.example.com. May contain a user name and a password. A private address must be allowed by UNLEASH_ALLOW_LIST_INTEGRATION or UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION. Must be the same in all processes.',
  },
  prometheusToken: {
    names: ['YARDARM_PROMETHEUS_TOKEN'],
    value: text.optional(),
    secret: true,
    meaning: 'Token that is sent to YARDARM_PROMETHEUS_URL as `Authorization: Bearer`.',
  },
} satisfies Settings;
