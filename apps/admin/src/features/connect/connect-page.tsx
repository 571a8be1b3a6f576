import { Alert, Code, Grid, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type Flag, type FlagParams, flagQuery } from '../../entities/flags/flag-queries.ts';
import { ProjectCrumbs } from '../../entities/flags/project-crumbs.tsx';
import { instanceQuery } from '../../lib/instance.ts';
import { TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Muted } from '../../ui/text.tsx';
import { CodeBlock } from './code-block.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { LanguagePicker } from './language-picker.tsx';
import { type Language, languages } from './languages/index.ts';
import { serverUrl } from './server-url.ts';
import { TokenChoice } from './token-choice.tsx';

const route = getRouteApi('/projects/$projectId/features/$featureName/connect');

/** Shows the code that evaluates a flag in a chosen language, and waits for the first request of the application. */
export function ConnectPage() {
  const params = route.useParams();
  const flag = useQuery(flagQuery(params));
  return (
    <Page
      title="Connect your application"
      description={
        <ProjectCrumbs projectId={params.projectId}>
          <TextLink to="/projects/$projectId/features/$featureName" params={params} size="sm">
            {params.featureName}
          </TextLink>
        </ProjectCrumbs>
      }
    >
      <Loaded query={flag}>{(loaded) => <Connect flag={loaded} params={params} />}</Loaded>
    </Page>
  );
}

/** The secret that is shown in the snippet, and the environment and token type that it is valid for. */
interface Chosen {
  readonly secret: string;
  readonly isNew: boolean;
  readonly scope: string;
}

const none: Chosen = { secret: '', isNew: false, scope: '' };

function Connect({ flag, params }: { readonly flag: Flag; readonly params: FlagParams }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [chosen, setChosen] = useState<Chosen>(none);
  const language = languages.find(({ id }) => id === search.language) ?? languages[0];
  const names = flag.environments.map(({ name }) => name);
  const environment = names.find((name) => name === search.environment) ?? names[0];
  if (language === undefined || environment === undefined)
    return <Alert color="gray">The project has no environments. Add one in the settings of the project.</Alert>;
  const isOn = flag.environments.some(({ name, enabled }) => name === environment && enabled);
  // A token is valid for one environment and one type, so another choice of either hides the secret.
  const scope = `${environment} ${language.token}`;
  const { secret, isNew } = chosen.scope === scope ? chosen : none;
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 4.5 }}>
        <Stack>
          <SectionCard title="1. Choose">
            <LanguagePicker
              value={language.id}
              onChange={(id) => void navigate({ search: (before) => ({ ...before, language: id }), replace: true })}
            />
            <Select
              label="Environment"
              data={names}
              value={environment}
              allowDeselect={false}
              onChange={(name) =>
                name !== null &&
                void navigate({ search: (before) => ({ ...before, environment: name }), replace: true })
              }
            />
          </SectionCard>
          <SectionCard title={`2. Token: ${language.token}, ${environment}`}>
            <TokenChoice
              key={scope}
              projectId={params.projectId}
              environment={environment}
              type={language.token}
              secret={secret}
              isNew={isNew}
              onSecret={(next, made) => setChosen({ secret: next, isNew: made, scope })}
            />
          </SectionCard>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 7.5 }}>
        <SectionCard title="3. Run it" description={<About language={language} />}>
          <Snippet language={language} secret={secret} featureName={params.featureName} />
          {!isOn && (
            <Muted>
              The flag is off in {environment} until you switch it on. An SDK that polls sees that within 15 seconds.
            </Muted>
          )}
          <ConnectionStatus flag={params} environment={environment} />
        </SectionCard>
      </Grid.Col>
    </Grid>
  );
}

function About({ language: { sdk, isRun, note } }: { readonly language: Language }) {
  return (
    <>
      {sdk !== null &&
        (isRun
          ? `Run by Yardarm’s tests with ${sdk.name} ${sdk.version}.`
          : `Written for ${sdk.name} ${sdk.version}. Yardarm’s tests do not run it.`)}
      {note !== undefined && ` ${note}`}
    </>
  );
}

interface SnippetProps {
  readonly language: Language;
  readonly secret: string;
  readonly featureName: string;
}

function Snippet({ language, secret, featureName }: SnippetProps) {
  const { data: instance } = useQuery(instanceQuery);
  if (instance === undefined) return <Skeleton height={240} />;
  const code = language.code({
    url: serverUrl(instance.unleashUrl, document.baseURI),
    token: secret === '' ? 'INSERT_API_TOKEN' : secret,
    flag: featureName,
    appName: 'shop',
  });
  return (
    <>
      {language.install !== null && <CodeBlock title="Install" code={language.install} copy="Copy the installation" />}
      <CodeBlock title="Code" code={code} copy="Copy the code" />
      {language.run !== undefined && (
        <Text size="sm">
          Save it as <Code>{language.run.file}</Code> and run <Code>{language.run.command}</Code>.
        </Text>
      )}
    </>
  );
}
