// The page's switches: the bank's state, the modes of webhooks and refunds.
import type { Markup } from '../../web/live/markup.ts'
import { state } from '../../web/live/parts.ts'
import { clockSections } from '../kit/account-clock.ts'
import { action, choices, switches } from '../kit/page-parts.ts'
import type { Bank } from './bank.ts'
import type { Modes } from './events.ts'
import { holdersOf } from './holder-time.ts'
import { usualModes } from './state.ts'

const refundWords: Readonly<Record<Modes['refunds'], string>> = {
  done: 'Succeed',
  pending: 'Stay under way',
  fail: 'Fail',
}

export function settingSections(bank: Bank): readonly Markup[] {
  const { down } = bank.passing
  const { modes } = bank.eventStore.state
  const { refunds: _, ...usual } = usualModes
  const toggle = (words: string, body: Partial<Modes>, isOn: boolean) =>
    action(words, '/_sim/webhooks', body, 'second', isOn)
  return [
    switches(
      'The bank',
      [action(down ? 'Bring it up' : 'Take it down', '/_sim/down', { down: !down })],
      down ? state('bad', 'Down') : state('good', 'Up'),
    ),
    switches('Webhooks', [
      toggle('Lose all', { lose: modes.lose !== true }, modes.lose === true),
      toggle('Lose the next', { lose: 1 }, typeof modes.lose === 'number' && modes.lose > 0),
      toggle('Send twice', { repeat: modes.repeat > 1 ? 1 : 2 }, modes.repeat > 1),
      toggle('Ten seconds late', { delayMs: modes.delayMs > 0 ? 0 : 10_000 }, modes.delayMs > 0),
      toggle('In reverse', { reorder: !modes.reorder }, modes.reorder),
      toggle('Wrong certificate', { badCert: !modes.badCert }, modes.badCert),
      action('As usual', '/_sim/webhooks', usual, 'plain'),
    ]),
    choices('Requested refunds', '/_sim/refunds', refundWords, modes.refunds),
    ...clockSections(bank.eventStore, holdersOf(bank.eventStore.state)),
  ]
}
