// In the sandbox: its payer pays, by a scenario.
import { useState, type FormEvent } from 'react'
import { scenariosOf, type ScenarioName } from '#/rails/methods.ts'
import { useAct } from '../../api/act.ts'
import type { Payment, PaymentMethod } from '../../api/generated.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { RadioCards } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { toast } from '../../kit/toast.tsx'
import { paymentActionWords } from '../../words/payment-actions.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'

export function SimulateDialog({
  payment,
  onClose,
}: {
  readonly payment: Payment
  readonly onClose: () => void
}) {
  const words = useWords(paymentActionWords)
  const states = useWords(stateWords)
  const format = useFormat()
  const act = useAct()
  const offered = payment.paymentMethod === undefined ? payment.paymentMethods : [payment.paymentMethod]
  const [method, setMethod] = useState<PaymentMethod>(offered[0] ?? 'PIX')
  const [chosen, setChosen] = useState<ScenarioName>()
  const possible = scenariosOf(method)
  const scenario = chosen !== undefined && possible.includes(chosen) ? chosen : possible[0]
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const body = { scenario, ...(payment.paymentMethod === undefined ? { method } : {}) }
    if (!(await act.send('paySandboxPayment', { id: payment.id, body }))) return
    toast(words.simulateDone)
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.simulateTitle}
      lead={words.simulateLead(format.money(payment.amount, payment.currency))}
    >
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {offered.length > 1 && (
          <SelectField
            label={words.simulateMethod}
            value={method}
            onChange={(event) => setMethod(offered.find((each) => each === event.target.value) ?? method)}
            options={offered.map((value) => ({ value, label: states.method[value] }))}
          />
        )}
        <RadioCards
          legend={words.simulateScenario}
          value={scenario}
          onChange={setChosen}
          options={possible.map((value) => ({ value, label: words.scenario[value] }))}
        />
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" icon="play" busy={act.isBusy}>
            {words.simulateDo}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
