import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointsQuery } from '../../../entities/signals/signal-queries.ts';
import { Muted } from '../../../ui/text.tsx';
import type { ActionSetForm } from '../use-action-set-form.ts';
import { fillTemplate, templatesFor } from './templates.ts';

/** Offers action templates for the sender of the chosen endpoint, and fills the form in from the selected template. */
export function TemplateChoice({ form }: { readonly form: ActionSetForm }) {
  const { data: endpoints } = useQuery(endpointsQuery);
  const [chosen, setChosen] = useState<string>();
  const endpoint = endpoints?.find(({ id }) => String(id) === form.values.sourceId);
  if (endpoint === undefined) return null;
  const templates = templatesFor(endpoint.source);
  const template = templates.find(({ id }) => id === chosen);
  const use = (id: string | null) => {
    const next = templates.find((template) => template.id === id);
    setChosen(next?.id);
    if (next !== undefined) form.setValues(keepingPlace(form.values, fillTemplate(next, endpoint)));
  };
  return (
    <>
      <Select
        label="Start from a template"
        placeholder="Optional: one of the commonest rules"
        data={templates.map(({ id, title }) => ({ value: id, label: title }))}
        value={template?.id ?? null}
        onChange={use}
        clearable
        clearButtonProps={{ 'aria-label': 'Without a template' }}
      />
      {template !== undefined && (
        <Muted>{template.description} Choose the flag and the environment below, and check the rest.</Muted>
      )}
    </>
  );
}

/** Returns the filled fields with the flag and the environment that the form has already. */
function keepingPlace({ actions: [before] }: ActionSetForm['values'], filled: ReturnType<typeof fillTemplate>) {
  const { featureName, environment } = before?.params ?? {};
  const place = { ...(featureName && { featureName }), ...(environment && { environment }) };
  const actions = filled.actions.map((action) => ({ ...action, params: { ...place, ...action.params } }));
  return { ...filled, actions };
}
