import { Alert, Button, Checkbox, FileButton, Group, JsonInput, List, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { withoutReview } from '../../entities/change-requests/review-buttons.tsx';
import { projectOverviewQuery } from '../../entities/flags/flag-queries.ts';
import { type Answer, api } from '../../lib/api.ts';
import { errorsByField } from '../../lib/error-messages.ts';
import { saveFile } from '../../lib/save-file.ts';
import { FormError } from '../../ui/form-error.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useReportError } from '../../ui/report-error.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { useSettingsProject } from './settings-layout.tsx';

type Validation = Answer<'POST /api/admin/features-batch/validate'>;

/** Exports the flags of a project in an environment, and imports such an export. */
export function TransferSettings() {
  const projectId = useSettingsProject();
  const project = useQuery(projectOverviewQuery(projectId));
  return (
    <Loaded query={project}>
      {(overview) => {
        const environments = overview.environments.map(({ environment }) => environment);
        return (
          <Stack gap="lg">
            <Export key={`export ${projectId}`} projectId={projectId} environments={environments} />
            <Import key={`import ${projectId}`} projectId={projectId} environments={environments} />
          </Stack>
        );
      }}
    </Loaded>
  );
}

interface Props {
  readonly projectId: string;
  readonly environments: readonly string[];
}

function Export({ projectId, environments }: Props) {
  const [environment, setEnvironment] = useState(environments[0] ?? '');
  const [wholeSegments, setWholeSegments] = useState(false);
  const report = useReportError();
  const save = useMutation({
    mutationFn: () =>
      api('POST /api/admin/features-batch/export', {
        body: { project: projectId, environment, wholeSegments, downloadFile: false },
      }),
    onSuccess: (data) =>
      saveFile(`${projectId}-${environment}.json`, 'application/json', JSON.stringify(data, null, 2)),
    onError: report,
  });
  return (
    <SectionCard
      title="Export"
      description="All flags of the project in one environment, with their context fields, tags and segment names. Unleash 8.2 and Yardarm can import the file."
    >
      <Checkbox
        mb="sm"
        label="Include the constraints of segments"
        description="For a Yardarm instance without these segments. Unleash cannot import such a file."
        checked={wholeSegments}
        onChange={(change) => setWholeSegments(change.currentTarget.checked)}
      />
      <Group align="flex-end">
        <EnvironmentSelect value={environment} environments={environments} onChange={setEnvironment} />
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => save.mutate()}
          loading={save.isPending}
          disabled={environment === ''}
        >
          Download export
        </Button>
      </Group>
    </SectionCard>
  );
}

function EnvironmentSelect({
  value,
  environments,
  onChange,
}: {
  readonly value: string;
  readonly environments: readonly string[];
  readonly onChange: (environment: string) => void;
}) {
  return (
    <Select
      label="Environment"
      data={[...environments]}
      value={value}
      onChange={(chosen) => onChange(chosen ?? value)}
      allowDeselect={false}
      maw={240}
    />
  );
}

function Import({ projectId, environments }: Props) {
  const queries = useQueryClient();
  const [environment, setEnvironment] = useState(environments[0] ?? '');
  const [data, setData] = useState('');
  const forgetFile = useRef<() => void>(null);
  const body = { project: projectId, environment, data };
  const check = useMutation({ mutationFn: () => api('POST /api/admin/features-batch/validate', { body }) });
  const runImport = useMutation({
    mutationFn: () => api('POST /api/admin/features-batch/import', { body }),
    onSuccess: async () => {
      notifications.show({ message: `Imported into ${environment}` });
      setData('');
      check.reset();
      await queries.invalidateQueries();
    },
  });
  // The result of the check applies only to the text that was checked.
  const change = (text: string) => {
    setData(text);
    check.reset();
    runImport.reset();
  };
  const error = check.error ?? runImport.error;
  const problem = error === null ? undefined : errorsByField(error, ['data']);
  const { data: checked } = check;
  const isAllowed = checked?.permissions.length === 0 || checked?.breakGlass === true;
  const ready = checked !== undefined && checked.errors.length === 0 && isAllowed;
  return (
    <SectionCard
      title="Import"
      description="Existing flags are updated and new flags are created, all in one transaction."
    >
      <Stack maw={760}>
        <EnvironmentSelect
          value={environment}
          environments={environments}
          onChange={(chosen) => {
            setEnvironment(chosen);
            check.reset();
          }}
        />
        <JsonInput
          label="Export"
          description="Paste an export, or select a file."
          value={data}
          onChange={change}
          minRows={4}
          maxRows={14}
          autosize
          validationError="Invalid JSON"
          error={problem?.fields.data}
        />
        <Group>
          <FileButton
            resetRef={forgetFile}
            accept="application/json,.json"
            onChange={(file) => {
              if (file !== null) void file.text().then(change);
              // So that the same file can be selected again after it was edited.
              forgetFile.current?.();
            }}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
                Select file
              </Button>
            )}
          </FileButton>
          <Button onClick={() => check.mutate()} disabled={data.trim() === ''} loading={check.isPending}>
            Check import
          </Button>
        </Group>
        <FormError>{problem?.rest}</FormError>
        {checked !== undefined && <Findings validation={checked} environment={environment} />}
        {ready && (
          <Button onClick={() => runImport.mutate()} loading={runImport.isPending} style={{ alignSelf: 'flex-start' }}>
            Import into {environment}
            {checked.breakGlass && ` ${withoutReview['break-glass']}`}
          </Button>
        )}
      </Stack>
    </SectionCard>
  );
}

function Findings({ validation, environment }: { readonly validation: Validation; readonly environment: string }) {
  const { errors, warnings, permissions, breakGlass, changes } = validation;
  return (
    <Stack gap="xs" aria-live="polite">
      <Found color="red" title="This file cannot be imported" items={errors} />
      {!breakGlass && <Found color="red" title="Missing permissions" items={permissions} />}
      {breakGlass && (
        <Alert color="yellow" variant="light" title={`Changes in ${environment} require review`}>
          In an emergency, you can import with break-glass and a reason.
        </Alert>
      )}
      <Found color="yellow" title="Warnings" items={warnings} />
      {errors.length === 0 && (permissions.length === 0 || breakGlass) && (
        <Text size="sm">
          {changes.length === 0
            ? 'No changes.'
            : changes.length === 1
              ? '1 change will be made.'
              : `${changes.length} changes will be made.`}
        </Text>
      )}
    </Stack>
  );
}

function Found({
  color,
  title,
  items,
}: {
  readonly color: 'red' | 'yellow';
  readonly title: string;
  readonly items: Validation['errors'];
}) {
  if (items.length === 0) return null;
  return (
    <Alert color={color} variant="light" title={title}>
      {items.map(({ message, affectedItems }) => (
        <div key={message}>
          <Text size="sm">{message}</Text>
          <List size="sm">
            {affectedItems.map((item) => (
              <List.Item key={item}>{item}</List.Item>
            ))}
          </List>
        </div>
      ))}
    </Alert>
  );
}
