// Ends a key for good, and says first what stops.
import { useAct } from '../../api/act.ts'
import type { ApiKey } from '../../api/generated.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { keyWords } from '../../words/keys.ts'
import { useWords } from '../../words/reader.ts'
import { ScopeList } from './scopes.tsx'

export function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const words = useWords(keyWords)
  const act = useAct()
  const { id, name, lastFour, lastUsedAt, scopes } = apiKey
  const revoke = async () => {
    if (!(await act.send('revokeApiKey', { id, body: {} }))) return
    toast(words.revokedDone)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={words.revokeTitle(name)} lead={words.revokeLead(lastFour)}>
      <p className="text-13">
        {lastUsedAt === undefined ? (
          words.revokeUnused
        ) : (
          <>
            {words.revokeUsed} <Time at={lastUsedAt} className="font-strong" />
          </>
        )}
      </p>
      <div className="text-13">
        <p className="mb-1">{words.revokeRights}</p>
        <div className="max-h-52 overflow-y-auto rounded-control border border-line px-3" tabIndex={0}>
          <ScopeList value={scopes} />
        </div>
      </div>
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={() => void revoke()}>
          {words.revokeDo}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
