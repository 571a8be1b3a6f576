/** The kinds of what automation can leave for a person to look after. */
export const attentionKinds = ['hold', 'run', 'plan', 'alert'] as const;

/** Return the subjects of acknowledgements: each names one occurrence of what automation left. Times are ISO 8601. */
export const attentionSubject = {
  hold: (id: number) => `hold:${id}`,
  run: (id: number) => `run:${id}`,
  plan: (id: string, pausedAt: string) => `plan:${id}:${pausedAt}`,
  alert: (endpointId: number, since: string, fingerprint: string) => `alert:${endpointId}:${since}:${fingerprint}`,
} satisfies Record<(typeof attentionKinds)[number], unknown>;

/** A caller needs one of them, where the flag is, to acknowledge. */
export const acknowledgePermissions = ['OVERRIDE_AUTOMATION', 'LOWER_EXPOSURE', 'UPDATE_FEATURE_ENVIRONMENT'] as const;
