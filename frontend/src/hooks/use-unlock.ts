import { unlockWithPasskey, type Passkey } from '@/api/passkeys'
import type { User } from '@/api/session'
import { unlockWithPassword } from '@/api/unlock'
import { useSecretMutation } from './use-secret-mutation'

/** The two ways to unlock the user's keys after a reload, as `UnlockForm` takes them. */
export function useUnlock(user: User, onUnlocked: () => void | Promise<void>) {
  const unlock = useSecretMutation(async (password: string) => {
    await unlockWithPassword(password, user)
    await onUnlocked()
  })
  const unlockPasskey = useSecretMutation(async (passkeys: Passkey[]) => {
    await unlockWithPasskey(passkeys, user)
    await onUnlocked()
  })
  return { unlock, unlockPasskey }
}
