import { useState } from 'react'
import type { User } from '@/api/session'
import { keyring } from '@/crypto/keyring'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { useUnlock } from '@/hooks/use-unlock'
import { CancelledError } from '@/lib/deferred'
import { SenderWordsNeededError } from '../handover/handover-error'

/** Whom the key is handed to. */
export type Leader = { uuid: string; name: string; publicKeys: string }

type View =
  | { name: 'start' }
  | { name: 'unlock' }
  /** The key comes from somebody whose words this user has not compared yet. */
  | { name: 'sender'; sender: string }
  | { name: 'shown'; text: string }
  | { name: 'handOver'; leader: Leader }

export type HeldKeyFlow = ReturnType<typeof useHeldKey>

/** The opened passphrase is kept in this state only, and is dropped with the dialog. */
export function useHeldKey(user: User) {
  const [view, setView] = useState<View>({ name: 'start' })

  async function open(senderWords: string | null) {
    const { openHeld } = await import('./open-held-key')
    try {
      setView({ name: 'shown', text: await openHeld(senderWords) })
    } catch (error) {
      // The user closed the verification dialog.
      if (error instanceof CancelledError) setView({ name: 'start' })
      else if (error instanceof SenderWordsNeededError) setView({ name: 'sender', sender: error.sender })
      else throw error
    }
  }

  const show = useSecretMutation(async () => {
    if (keyring.isUnlocked()) await open(null)
    else setView({ name: 'unlock' })
  })
  /** What fails from here on is not the password's fault, and is shown on the first view. */
  const unlocking = useUnlock(user, () => {
    setView({ name: 'start' })
    void show.mutate()
  })
  const compare = useSecretMutation((senderWords: string) => open(senderWords))
  const handOver = (leader: Leader) => setView({ name: 'handOver', leader })
  return { view, show, ...unlocking, compare, handOver, toStart: () => setView({ name: 'start' }) }
}
