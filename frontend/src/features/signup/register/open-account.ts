import { toUser } from '@/api/user'
import { toast } from '@/components/toast'
import { keyring } from '@/crypto/keyring'
import { makeUserKeys } from '@/crypto/user-keys'
import { startSession } from '@/features/auth'
import { registerMember, type Invite } from '../api'
import { phoneOf, type Person } from '../person'

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
  startSession(access_token, toUser(user))
}
