/** Attention maps and the loss curve at earlier steps of a run. */
import { expect, it } from 'vitest';
import { canvasContent } from '../browser/driver.ts';
import { chooseHead, enlarge, phone } from './attention.ts';
import { useComponents } from './mount.ts';

const mount = useComponents();

it('marks the step that is looked back at on the curve, until the newest is looked at', async () => {
  const { page, lookBack, rest } = await mount('loss', 'names', { step: 60 });
  const curve = page.locator('#loss .loss-plot canvas');
  const drawn = async () => {
    await rest();
    return (await canvasContent(curve)).print;
  };
  const still = await drawn();
  await lookBack.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(drawn).not.toBe(still);
  await page.keyboard.press('End');
  await expect.poll(drawn).toBe(still);
});

it('looks back at the beginning of the run and returns to now', async () => {
  const { page, lookBack } = await mount(['attention', 'closer'], 'names', { step: 60 });
  await chooseHead(page);
  const column = page.locator('#attention');
  const closer = page.locator('#closer');
  const shown = () => lookBack.getAttribute('aria-valuetext');
  const now = await shown();
  await lookBack.focus();
  await page.keyboard.press('Home');
  await expect.poll(shown).toBe('step 0');
  await column.getByRole('heading', { name: 'Layer 1, head 1, at step 0' }).waitFor();
  await column.getByRole('columnheader', { name: 'step 0', exact: true }).waitFor();
  await expect.poll(() => column.getByRole('columnheader', { name: 'Now' }).count()).toBe(0);
  await enlarge(page);
  await closer.getByRole('heading', { name: 'Layer 1, head 1, at step 0' }).waitFor();
  await lookBack.focus();
  await page.keyboard.press('End');
  await expect.poll(shown).toBe(now);
  await column.getByRole('columnheader', { name: 'Now' }).waitFor();
});

it('has room in its table for the longest name of a step, whatever the width', async () => {
  const { page, lookBack } = await mount('attention', 'names', { step: 60 });
  const column = page.locator('#attention');
  await lookBack.focus();
  await page.keyboard.press('Home');
  await column.getByRole('columnheader', { name: 'step 0', exact: true }).waitFor();
  const named = column.locator('.habits thead th').nth(1);
  for (const width of [1440, 1280, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const over = await named.evaluate((cell) => {
      const was = cell.textContent;
      cell.textContent = 'step 199,500';
      const table = cell.closest('table')!;
      const box = table.parentElement!.getBoundingClientRect();
      const past = table.getBoundingClientRect().right - box.right;
      cell.textContent = was;
      return past;
    });
    expect([width, over <= 0.5]).toEqual([width, true]);
  }
});

it('shows another text as of the step that is looked at, while the run goes on', async () => {
  const mounted = await mount('attention', 'names', { stepwise: true });
  const { page, probe, lookBack, start, advance } = mounted;
  await chooseHead(page);
  const column = page.locator('#attention');
  const title = column.getByRole('heading', { name: /^Layer 1, head 1/ });
  await start.click();
  await advance(10);
  const text = await probe.inputValue();
  await lookBack.focus();
  await page.keyboard.press('Home');
  const there = 'Layer\u00a01, head\u00a01, at step\u00a00';
  await expect.poll(() => title.textContent()).toBe(there);
  await probe.fill('anna');
  await advance(30);
  const done = page.locator('#run progress');
  await expect.poll(() => done.evaluate((bar: HTMLProgressElement) => bar.value)).toBe(0.5);
  await expect.poll(() => title.textContent()).toBe(there);
  await expect.poll(() => column.getByText('recorded from step').isVisible()).toBe(false);
  // Types the first text again, letter by letter.
  await probe.fill('');
  await probe.pressSequentially(text);
  await expect.poll(() => title.textContent()).toBe(there);
  await expect.poll(() => lookBack.getAttribute('aria-valuetext')).toBe('step 0');
});

it.each([
  ['map in the column', '#attention', '.attention-canvas'],
  ['arcs in the column', '#attention', '.arcs'],
  ['enlarged map', '#closer', '.attention-canvas'],
] as const)(
  'keeps title, statistics and the %s in their places while a finger looks back',
  async (_, place, shape) => {
    const { page, lookBack, rest } = await mount(['attention', 'closer'], 'names', {
      step: 60,
      context: phone(844),
    });
    await chooseHead(page);
    const area = page.locator(place);
    if (shape === '.arcs') await area.getByRole('button', { name: 'Arcs' }).tap();
    if (place === '#closer') await enlarge(page);
    const title = area.getByRole('heading', { name: /^Layer 1, head 1/ });
    const verdict = area.locator('[data-part=habit]');
    const rows = area.getByRole('table', { name: 'What this head does, in numbers' });
    const places = async () => {
      await rest();
      const parts = [title, area.locator(shape), rows];
      const elements = await Promise.all(parts.map((one) => one.elementHandle()));
      // All at once: the page may be scrolling.
      const tops = await page.evaluate(
        (all) => all.map((one) => one.getBoundingClientRect().top),
        elements,
      );
      return tops.map((top) => top - tops[0]!);
    };
    /** The largest distance in pixels of a part from its place in `before`. */
    const moved = async (before: readonly number[]): Promise<number> => {
      const now = await places();
      return Math.max(...now.map((top, at) => Math.abs(top - before[at]!)));
    };
    const first = 'Layer\u00a01, head\u00a01, at step\u00a00';
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 844 });
      await lookBack.focus();
      // The panel reserves the height of the longest text once and keeps it.
      await page.keyboard.press('Home');
      await expect.poll(() => title.textContent()).toBe(first);
      await page.keyboard.press('End');
      await expect.poll(() => title.textContent()).toBe('Layer\u00a01, head\u00a01');
      const before = await places();
      await page.keyboard.press('Home');
      await expect.poll(() => title.textContent()).toBe(first);
      expect(await moved(before), String(width)).toBeLessThan(1);
      const name = title.locator('span');
      const write = (text: string) =>
        name.evaluate((one, words) => (one.firstChild!.nodeValue = words), text);
      await write('Layer 1, head 1, at step 199,500');
      expect(await moved(before), String(width)).toBeLessThan(1);
      await write(first);
      const said = new Set<string>();
      for (const step of [15, 30, 45]) {
        for (let press = 0; press < 5; press++) await page.keyboard.press('PageUp');
        await expect.poll(() => title.textContent()).toContain(`at step\u00a0${String(step)}`);
        said.add((await verdict.textContent())!);
        expect(await moved(before), String(width)).toBeLessThan(1);
      }
      expect(said.size).toBeGreaterThan(1);
    }
  },
);
