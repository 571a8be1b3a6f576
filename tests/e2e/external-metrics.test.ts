import { expect, it } from 'vitest';
import { givenEnabled } from '../../apps/server/testing/flags.ts';
import { startMinute } from '../../apps/server/testing/impact-metrics.ts';
import { answerData, answerValue, passQuerying, startFakePrometheus } from '../../apps/server/testing/prometheus.ts';
import { givenPlan } from '../../apps/server/testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '../../apps/server/testing/safeguards.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, settled, useBrowser } from './browser.ts';

const prometheus = await startFakePrometheus();
const server = useServer({ prometheusUrl: `http://${prometheus.host}`, allowPrivateIntegrationUrls: true });
const open = useBrowser();

it.each([1280, 380])(
  'a safeguard of a metric of a Prometheus server is added, in a window %s px wide',
  async (width) => {
    prometheus.answer((response, { path, form }) => {
      if (path.endsWith('/values')) return answerData(response, ['http_requests_total', 'up']);
      if (path.endsWith('/query')) return answerValue(response, 0.2);
      const result = [{ metric: {}, values: [[Number(form['end']), '42']] }];
      return answerData(response, { resultType: 'matrix', result });
    });
    startMinute(server());
    const flag = await givenEnabled(server());
    const window = await open(server(), { at: `/projects/default/features/${flag.featureName}`, width });
    const { page } = window;
    const development = page.getByRole('region', { name: 'development' });
    await development.getByRole('button', { name: 'Add safeguard' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Source' }).click();
    await page.getByRole('option', { name: 'Prometheus server' }).click();
    await dialog.getByRole('combobox', { name: 'Metric' }).click();
    await page.getByRole('option', { name: 'http_requests_total' }).click();
    await dialog.getByRole('combobox', { name: 'Labels', exact: true }).fill('code=500');
    await dialog.getByRole('combobox', { name: 'Divided by' }).click();
    await page.getByRole('option', { name: 'http_requests_total' }).click();
    await dialog.getByRole('combobox', { name: 'Labels of the metric below the line' }).fill('job=shop');
    await dialog.getByRole('textbox', { name: 'Threshold' }).fill('0.05');
    await dialog.getByText('Newest: 42', { exact: false }).waitFor();
    await settled(window);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add safeguard' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [{ impactMetric }] = await safeguardsOf(server(), flag);
    expect(impactMetric).toMatchObject({
      source: 'external',
      labelSelectors: { code: ['500'] },
      dividedBy: { metricName: 'http_requests_total', labelSelectors: { job: ['shop'] } },
    });
    prometheus.answer((response) => void response.writeHead(503).end());
    await passQuerying(server(), 1);
    await page.reload();
    const safeguards = development.getByRole('region', { name: 'Safeguards' });
    await safeguards.getByText('The Prometheus server answered 503.').waitFor();
    await safeguards.getByText('from Prometheus', { exact: false }).waitFor();
    expect(window.complaints()).toEqual([]);
  },
);

it('the course of a plan shows the metric of a Prometheus server that a safeguard watches', async () => {
  prometheus.answer((response, { path, form }) => {
    if (path.endsWith('/query')) return answerValue(response, 7);
    const [start, end, step] = [form['start'], form['end'], form['step']].map(Number) as [number, number, number];
    const values = Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, index) => [
      start + index * step,
      '7',
    ]);
    return answerData(response, { resultType: 'matrix', result: [{ metric: {}, values }] });
  });
  startMinute(server());
  const { params } = await givenPlan(server());
  await setSafeguard(
    server(),
    params,
    moreThan(50, 'queue_length', { source: 'external', aggregationMode: 'avg', labelSelectors: {} }),
  );
  server().clock.advance(180_000);
  const window = await open(server(), { at: `/projects/default/features/${params.featureName}` });
  const { page } = window;
  const plan = page.getByRole('region', { name: 'Release plan' });
  await plan.getByRole('button', { name: 'Show course' }).click();
  await plan.getByText('Exposure, % of users').waitFor();
  await settled(window);
  await plan.getByRole('table', { name: 'Course of the plan' }).getByRole('cell', { name: '7', exact: true }).waitFor();
  expect(await plan.getByText('Not reported in this time.').count()).toBe(0);
  expect(window.complaints()).toEqual([]);
});
