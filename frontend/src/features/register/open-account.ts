import { sessionStore } from '@/api/session'
import { toast } from '@/components/toast'
import { keyring } from '@/crypto/keyring'
import { makeUserKeys } from '@/crypto/user-keys'
import { toUser } from '@/features/auth/api/user'
import { agreeOnLanguage } from '@/features/auth/language'
import { phoneOf, type Person } from '@/features/signup/person'
import type { Invite } from './api/get-invite'
import { registerMember } from './api/register-member'

/** Own keys, made here; the company's are for its leader. The session that comes back leads to the download. */
export async function openAccount(token: string, invite: Invite, person: Person, done: string): Promise<void> {
  const ids = { uid: crypto.randomUUID(), cid: invite.companyUuid }
  const { key, auth, salt, userKey } = await makeUserKeys(person.password, ids)
  const { access_token, user } = await registerMember(token, {
    uuid: ids.uid,
    firstName: person.firstName,
    lastName: person.lastName,
    phoneNumber: phoneOf(person),
    password: auth,
    salt,
    userKey,
  })
  keyring.hold(key, ids)
  toast.success(done)
  sessionStore.signIn(access_token, toUser(user))
  void agreeOnLanguage(toUser(user))
}
