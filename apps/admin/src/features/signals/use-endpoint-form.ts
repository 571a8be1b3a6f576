import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ConstraintDraft } from '../../entities/constraints/draft.ts';
import { bodyOfFilters, draftsOf, filterPathProblem } from '../../entities/payload-filters/filter-draft.ts';
import { endpointsQuery, type SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';

type OwnFields = NonNullable<SignalEndpoint['fields']>;

/** The fields for which a generic endpoint can have paths, in the order of the form. */
export const fieldNames = ['state', 'title', 'severity', 'fingerprint', 'startedAt', 'link', 'deliveryId'] as const;
/** The fields for which a generic endpoint can have paths in each element of a list of alerts. */
export const elementFieldNames = ['state', 'title', 'severity', 'fingerprint', 'startedAt', 'link'] as const;

type ElementValues = Record<(typeof elementFieldNames)[number] | 'path', string>;
type FieldValues = Record<(typeof fieldNames)[number], string> & { elements: ElementValues };

export interface EndpointValues extends Record<string, unknown> {
  enabled: boolean;
  name: string;
  description: string;
  source: SignalEndpoint['source'];
  /** The limits of each token; empty for the default. */
  ratePerSecond: number | '';
  burst: number | '';
  maxBodyBytes: number | '';
  maxElements: number | '';
  /** The path of each field; empty for no path. */
  fields: FieldValues;
  dropped: string[];
  hashed: string[];
  /** The days after which signals are deleted; empty for the retention of the installation. */
  retentionDays: number | '';
  /** The minutes within which a signal is expected; empty when none is. */
  expectedMinutes: number | '';
  /** The filters of the expected signal. */
  expectedFilters: readonly ConstraintDraft[];
  /** The time until which signals are accepted, in ISO 8601; undefined for no end. */
  enabledUntil: string | undefined;
  keepsWhenDisabled: boolean;
  oneSender: boolean;
  token: 'later' | 'now';
}

export type EndpointValuesForm = UseFormReturnType<EndpointValues>;

interface Options {
  /** The endpoint to edit; absent to create a new endpoint. */
  readonly endpoint: SignalEndpoint | undefined;
  /** The names of existing endpoints. */
  readonly taken: readonly string[];
  /** Called with the new endpoint when the user chose to create its token now. */
  readonly onMade: (endpoint: SignalEndpoint) => void;
  readonly onClose: () => void;
}

/** Returns the form of an endpoint and its submit function. */
export function useEndpointForm({ endpoint, taken, onMade, onClose }: Options) {
  const queries = useQueryClient();
  // The endpoint that this form has created. Submitting the form again updates this endpoint.
  const made = useRef<SignalEndpoint>(undefined);
  const form = useForm<EndpointValues>({
    validateInputOnChange: true,
    initialValues: valuesOf(endpoint),
    validate: {
      name: (name) => nameProblem(name, taken, (endpoint ?? made.current)?.name),
      expectedFilters: (filters) => filterPathProblem(filters) ?? null,
    },
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const { token } = values;
      const edited = bodyOf(values);
      const id = (endpoint ?? made.current)?.id;
      if (id === undefined) made.current = await api('POST /api/admin/signal-endpoints', { body: edited });
      else {
        const body = endpoint === undefined ? edited : await editsOf(endpoint, bodyOf(form.getInitialValues()), edited);
        made.current = await api('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
      }
      await queries.invalidateQueries(endpointsQuery);
      // The token is not created here, because its dialog asks for more fields.
      return endpoint === undefined && token === 'now' ? made.current : undefined;
    },
    changes: ['GET /api/admin/signal-endpoints'],
    onSaved: (created) => {
      if (created === undefined) onClose();
      else onMade(created);
    },
  });
  return { form, saving };
}

/** Returns the values of the form for an endpoint, or for a new one. */
export function valuesOf(endpoint: SignalEndpoint | undefined): EndpointValues {
  return {
    enabled: endpoint?.enabled ?? true,
    name: endpoint?.name ?? '',
    description: endpoint?.description ?? '',
    source: endpoint?.source ?? 'generic',
    ratePerSecond: endpoint?.ratePerSecond ?? '',
    burst: endpoint?.burst ?? '',
    maxBodyBytes: endpoint?.maxBodyBytes ?? '',
    maxElements: endpoint?.maxElements ?? '',
    keepsWhenDisabled: endpoint?.whenDisabled === 'keep',
    oneSender: endpoint?.oneSender ?? false,
    fields: fieldValuesOf(endpoint?.fields ?? {}),
    dropped: [...(endpoint?.dropped ?? [])],
    hashed: [...(endpoint?.hashed ?? [])],
    retentionDays: endpoint?.retentionDays ?? '',
    expectedMinutes: endpoint?.expectedMinutes ?? '',
    expectedFilters: draftsOf(endpoint?.expectedFilters ?? {}),
    enabledUntil: endpoint?.enabledUntil ?? undefined,
    token: 'later',
  };
}

type EndpointBody = ReturnType<typeof bodyOf>;

/** Returns the edited fields, and the name that the request needs. */
async function editsOf(endpoint: SignalEndpoint, loaded: EndpointBody, edited: EndpointBody) {
  const { signalEndpoints } = await api('GET /api/admin/signal-endpoints');
  const current = bodyOf(valuesOf(signalEndpoints.find(({ id }) => id === endpoint.id) ?? endpoint));
  return { name: current.name, ...editedFields({ loaded, edited, current }) };
}

/** Returns the values of the form in the format of requests. */
export function bodyOf(values: EndpointValues) {
  const { enabled, name, description, source, ratePerSecond, burst, maxBodyBytes, dropped, enabledUntil } = values;
  const limit = (value: number | '') => (value === '' ? null : value);
  return {
    ...{ enabled, name, description, source },
    ratePerSecond: limit(ratePerSecond),
    burst: limit(burst),
    maxBodyBytes: limit(maxBodyBytes),
    maxElements: limit(values.maxElements),
    oneSender: values.oneSender,
    whenDisabled: values.keepsWhenDisabled ? ('keep' as const) : ('refuse' as const),
    fields: hasFields(values) ? fieldsOf(values.fields) : null,
    dropped,
    hashed: values.hashed,
    retentionDays: limit(values.retentionDays),
    expectedMinutes: limit(values.expectedMinutes),
    expectedFilters: values.expectedMinutes === '' ? {} : bodyOfFilters(values.expectedFilters),
    enabledUntil: enabledUntil ?? null,
  };
}

/** Returns whether a generic endpoint has paths for its fields. */
export function hasFields({ source, fields: { elements, ...fields } }: EndpointValues): boolean {
  return source === 'generic' && [elements.path, ...Object.values(fields)].some((path) => path !== '');
}

function fieldsOf({ elements, ...fields }: FieldValues): OwnFields {
  const { path, ...within } = elements;
  return { ...filled(fields), ...(path === '' ? {} : { elements: { ...filled(within), path } }) };
}

function fieldValuesOf({ elements, ...fields }: OwnFields): FieldValues {
  const empty = Object.fromEntries(fieldNames.map((name) => [name, ''])) as Record<(typeof fieldNames)[number], string>;
  const { deliveryId: _, ...within } = empty;
  return { ...empty, ...filled(fields), elements: { ...within, path: '', ...filled(elements ?? {}) } };
}

/** Returns the paths that are set. */
function filled<T extends Readonly<Record<string, string | undefined>>>(paths: T): { [K in keyof T]?: string } {
  const set = Object.entries(paths).filter(([, path]) => path !== undefined && path !== '');
  return Object.fromEntries(set) as { [K in keyof T]?: string };
}

/** Returns the error of a name, by the rule of the contract; null for a valid name. */
function nameProblem(name: string, taken: readonly string[], own: string | undefined): string | null {
  if (name === '') return 'Enter a name.';
  if (!/^[a-z0-9_-]{1,100}$/.test(name)) return 'Use only lower-case letters, digits, - and _, at most 100 characters.';
  return name !== own && taken.includes(name) ? 'An endpoint with this name exists.' : null;
}
