// The dialog that asks for the second factor. Loaded when it is first needed.
import { call } from '../api/call.ts'
import type { FactorMethod } from '../api/generated.ts'
import { useUserPages, useRefreshSession } from '../api/session.ts'
import { ButtonLink } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { factorWords } from '../words/factors.ts'
import { useWords } from '../words/reader.ts'
import { FactorForm, type FactorProof } from './factor-form.tsx'

export function StepUpDialog({
  methods,
  onDone,
  onClose,
}: {
  readonly methods: readonly FactorMethod[]
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const words = useWords(factorWords)
  const refresh = useRefreshSession()
  const { security } = useUserPages()
  if (methods.length === 0)
    return (
      <Dialog open isOver onClose={onClose} title={words.none} lead={words.noneLead}>
        <span onClick={onClose} className="flex flex-col">
          <ButtonLink to={security} variant="primary">
            {words.add}
          </ButtonLink>
        </span>
      </Dialog>
    )
  const prove = async (proof: FactorProof) => {
    await call('stepUp', { body: proof })
    void refresh()
    onDone()
  }
  return (
    <Dialog open isOver onClose={onClose} title={words.stepUp} lead={words.stepUpLead}>
      <FactorForm methods={methods} passkeyOptions={() => call('beginStepUp', {})} onProof={prove} />
    </Dialog>
  )
}
