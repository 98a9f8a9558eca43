import { useState } from 'react'
import { unlockWithPasskey, type Passkey } from '@/api/passkeys'
import type { User } from '@/api/session'
import { unlockWithPassword } from '@/api/unlock'
import { VerificationCancelledError } from '@/api/verification'
import { keyring } from '@/crypto/keyring'
import { useSecretMutation } from '@/hooks/use-secret-mutation'

/** Whom the key is handed to. */
export type Leader = { uuid: string; name: string; publicKeys: string }

type View =
  { name: 'start' } | { name: 'unlock' } | { name: 'shown'; text: string } | { name: 'handOver'; leader: Leader }

export type HeldKeyFlow = ReturnType<typeof useHeldKey>

/** The opened passphrase is kept in this state only, and is dropped with the dialog. */
export function useHeldKey(user: User) {
  const [view, setView] = useState<View>({ name: 'start' })

  async function open() {
    const { openHeld } = await import('./open-held-key')
    try {
      setView({ name: 'shown', text: await openHeld() })
    } catch (error) {
      // The user closed the verification dialog.
      if (!(error instanceof VerificationCancelledError)) throw error
      setView({ name: 'start' })
    }
  }

  const show = useSecretMutation(async () => {
    if (keyring.isUnlocked()) await open()
    else setView({ name: 'unlock' })
  })
  /** What fails from here on is not the password's fault, and is shown on the first view. */
  const openUnlocked = () => {
    setView({ name: 'start' })
    void show.mutate()
  }
  const unlock = useSecretMutation(async (password: string) => {
    await unlockWithPassword(password, user)
    openUnlocked()
  })
  const unlockPasskey = useSecretMutation(async (passkeys: Passkey[]) => {
    await unlockWithPasskey(passkeys, user)
    openUnlocked()
  })
  const handOver = (leader: Leader) => setView({ name: 'handOver', leader })
  return { view, show, unlock, unlockPasskey, handOver, toStart: () => setView({ name: 'start' }) }
}
