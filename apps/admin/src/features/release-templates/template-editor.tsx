import { Alert, Button, Fieldset, Group, Stack, Textarea, TextInput, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { selectableFields } from '../../entities/context-fields/context-field-routes.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { errorsByPath } from '../../lib/error-messages.ts';
import { useMay } from '../../lib/me.ts';
import { useInvalidate } from '../../lib/use-invalidate.ts';
import { useFocusFirstErrorIn } from '../../ui/focus-first-error.ts';
import { FormError } from '../../ui/form-error.tsx';
import { useLeaveGuard } from '../../ui/leave-guard.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { Muted, SectionTitle } from '../../ui/text.tsx';
import type { StrategyKnowledge } from '../strategies/index.ts';
import { MilestoneCard } from './milestone-card.tsx';
import { ProjectField } from './project-field.tsx';
import {
  type MilestoneDraft,
  moved,
  newMilestone,
  problemsBelow,
  type TemplateDraft,
  templateBodyOf,
  templateDraftOf,
  templateProblems,
} from './template-draft.ts';
import { needsOf, type ProjectChoice } from './template-projects.ts';
import { changedByTemplates } from './template-queries.ts';
import { anHour } from './time-draft.ts';

interface Props {
  readonly initial: TemplateDraft;
  /** The template to edit; absent to create a new template. */
  readonly templateId?: string;
  readonly known: StrategyKnowledge;
  /** The projects that the user may choose. */
  readonly choices: readonly ProjectChoice[];
}

/** Creates or edits a release template. Input is kept on errors, and leaving without saving asks for confirmation. */
export function TemplateEditor({ initial: given, templateId, known: all, choices }: Props) {
  const [initial] = useState(() => (templateId === undefined ? inFirstOf(choices, given) : given));
  const may = useMay();
  const [draft, setDraft] = useState(initial);
  const known = useKnowledgeOf(draft, initial, all);
  const permission = templateId === undefined ? 'RELEASE_PLAN_TEMPLATE_CREATE' : 'RELEASE_PLAN_TEMPLATE_UPDATE';
  const { needs, place } = needsOf(permission, initial.project === '' ? null : initial.project);
  const { dialog, saved } = useLeaveGuard(draft !== initial);
  const { problems, formError, pending, save } = useSaveTemplate(templateId, initial, known, saved);
  const form = useFocusFirstErrorIn<HTMLFormElement>(problems);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        save(draft);
      }}
    >
      <Fieldset variant="unstyled" m={0} p={0} miw={0} disabled={!may(needs, place)}>
        <Stack maw={820}>
          <TextInput
            label="Template name"
            required
            value={draft.name}
            onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
            error={problems.name}
            autoComplete="off"
            {...(templateId === undefined ? { 'data-autofocus': true } : {})}
          />
          <Textarea
            label="Description"
            autosize
            minRows={1}
            value={draft.description}
            onChange={({ currentTarget }) => setDraft({ ...draft, description: currentTarget.value })}
            error={problems.description}
          />
          <ProjectField
            choices={choices}
            value={draft.project}
            error={problems.project}
            onChange={(project) => setDraft({ ...draft, project })}
          />
          <Milestones draft={draft} known={known} problems={problems} onChange={setDraft} />
          {formError !== undefined && (
            <Alert color="red" role="alert" title="Saving failed">
              {formError}
            </Alert>
          )}
        </Stack>
      </Fieldset>
      <Group mt="lg">
        <Permitted needs={needs} place={place}>
          <Button type="submit" loading={pending}>
            {templateId === undefined ? 'Create release template' : 'Save release template'}
          </Button>
        </Permitted>
        <ButtonLink to="/release-templates" variant="default">
          Cancel
        </ButtonLink>
      </Group>
      {dialog}
    </form>
  );
}

/** Returns the draft of a new template in the first project that the user may choose, unless its own is among them. */
function inFirstOf(choices: readonly ProjectChoice[], draft: TemplateDraft): TemplateDraft {
  const [first] = choices;
  if (first === undefined || choices.some(({ value }) => value === draft.project)) return draft;
  return { ...draft, project: first.value };
}

/**
 * Returns what strategies of a draft can use: segments and context fields of all projects and of the draft's project.
 * Keeps other segments that the template uses.
 */
function useKnowledgeOf(draft: TemplateDraft, initial: TemplateDraft, all: StrategyKnowledge): StrategyKnowledge {
  const ofProject = useQuery(selectableFields(draft.project === '' ? undefined : draft.project));
  const used = initial.milestones.flatMap(({ strategies }) => strategies.flatMap((entry) => entry.draft.segments));
  const isKnown = (project: string | null) => project === null || project === draft.project;
  return {
    definitions: all.definitions,
    segments: all.segments.filter(({ id, project }) => isKnown(project) || used.includes(id)),
    fields: ofProject.data ?? all.fields,
  };
}

interface MilestonesProps {
  readonly draft: TemplateDraft;
  readonly known: StrategyKnowledge;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (draft: TemplateDraft) => void;
}

function Milestones({ draft, known, problems, onChange }: MilestonesProps) {
  const { milestones } = draft;
  const [announced, setAnnounced] = useState('');
  const set = (next: readonly MilestoneDraft[]) => onChange({ ...draft, milestones: next });
  const move = (index: number, by: -1 | 1) => {
    set(moved(milestones, index, by));
    setAnnounced(`${milestones[index]?.name} is at place ${index + by + 1} of ${milestones.length}.`);
  };
  return (
    <Stack gap="sm">
      <div>
        <SectionTitle>Milestones</SectionTitle>
        <Muted>
          One after the other, each with strategies of its own. Time at a milestone counts while the flag is on and not
          held.
        </Muted>
      </div>
      <FormError>{problems.milestones}</FormError>
      <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {milestones.map((milestone, index) => (
          <MilestoneCard
            key={milestone.key}
            milestone={milestone}
            index={index}
            count={milestones.length}
            known={known}
            problems={problemsBelow(problems, `milestones.${index}`)}
            onChange={(changed) => set(milestones.with(index, changed))}
            onMove={(by) => move(index, by)}
            onRemove={() => set(milestones.toSpliced(index, 1))}
          />
        ))}
      </Stack>
      <VisuallyHidden role="status">{announced}</VisuallyHidden>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => set([...milestones, newMilestone(100, milestones.at(-2)?.time ?? anHour)])}
        style={{ alignSelf: 'flex-start' }}
      >
        Add milestone
      </Button>
    </Stack>
  );
}

/** Validates and saves a draft. `problems` are errors by path, `formError` is an error without a path. */
function useSaveTemplate(
  templateId: string | undefined,
  initial: TemplateDraft,
  { definitions }: StrategyKnowledge,
  onSaved: () => void,
) {
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [formError, setFormError] = useState<string>();
  const saving = useMutation({
    mutationFn: async (draft: TemplateDraft) => {
      const edited = templateBodyOf(draft, definitions);
      if (templateId === undefined) return api('POST /api/admin/release-plan-templates', { body: edited });
      const params = { templateId };
      const loaded = templateBodyOf(initial, definitions);
      const now = await api('GET /api/admin/release-plan-templates/:templateId', { params });
      const current = templateBodyOf(templateDraftOf(now), definitions);
      const body = { name: current.name, ...editedFields({ loaded, edited, current }) };
      return api('PUT /api/admin/release-plan-templates/:templateId', { params, body });
    },
    onSuccess: async () => {
      onSaved();
      notifications.show({
        message: templateId === undefined ? 'Release template created' : 'Release template saved',
      });
      await navigate({ to: '/release-templates' });
      await invalidate(changedByTemplates);
    },
    onError: (error) => {
      const { paths, rest } = errorsByPath(error);
      setProblems(paths);
      setFormError(rest);
    },
  });
  const save = (draft: TemplateDraft) => {
    const found = templateProblems(draft, definitions);
    setProblems(found);
    setFormError(undefined);
    if (Object.keys(found).length === 0) saving.mutate(draft);
  };
  return { problems, formError, pending: saving.isPending, save };
}
