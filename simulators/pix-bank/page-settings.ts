// The page's switches: how the bank is, how webhooks go, how refunds end.
import type { Markup } from '../kit/page-markup.ts'
import { action, state } from '../kit/page-parts.ts'
import type { Bank } from './bank.ts'
import type { Modes } from './events.ts'
import { usualModes } from './state.ts'

export function settingSections(bank: Bank): readonly Markup[] {
  const { down } = bank.passing
  const { modes } = bank.book.state
  const { refunds: _, ...usual } = usualModes
  const toggle = (words: string, body: Partial<Modes>, isOn: boolean) =>
    action(words, '/_sim/webhooks', body, 'second', isOn)
  return [
    section('The bank', down ? state('bad', 'cross', 'Down') : state('good', 'check', 'Up'), [
      action(down ? 'Bring it up' : 'Take it down', '/_sim/down', { down: !down }),
    ]),
    section('Webhooks', undefined, [
      toggle('Lose all', { lose: modes.lose !== true }, modes.lose === true),
      toggle('Lose the next', { lose: 1 }, typeof modes.lose === 'number' && modes.lose > 0),
      toggle('Send twice', { repeat: modes.repeat > 1 ? 1 : 2 }, modes.repeat > 1),
      toggle('Ten seconds late', { delayMs: modes.delayMs > 0 ? 0 : 10_000 }, modes.delayMs > 0),
      toggle('In reverse', { reorder: !modes.reorder }, modes.reorder),
      toggle('Wrong certificate', { badCert: !modes.badCert }, modes.badCert),
      action('As usual', '/_sim/webhooks', usual, 'plain'),
    ]),
    section('Refunds that are asked for', undefined, [
      refund('Succeed', 'done', modes),
      refund('Stay under way', 'pending', modes),
      refund('Fail', 'fail', modes),
    ]),
  ]
}

function refund(words: string, mode: Modes['refunds'], modes: Modes): Markup {
  return action(words, '/_sim/refunds', { mode }, 'second', modes.refunds === mode)
}

function section(title: string, beside: Markup | undefined, actions: readonly Markup[]): Markup {
  return [
    'section',
    { 'data-key': title },
    ['div', { class: 'line' }, ['h2', {}, title], ...(beside === undefined ? [] : [beside])],
    ['div', { class: 'actions' }, ...actions],
  ]
}
