import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getMemberKeys, makeMemberKeys, openMemberKeys, type StoredMemberKeys } from '@/api/member-keys'
import type { User } from '@/api/session'
import { Button } from '@/components/Button'
import { Actions, Lead, Stack } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { UnlockForm } from '@/components/forms/UnlockForm'
import { QueryResult } from '@/components/QueryResult'
import { keyring } from '@/crypto/keyring'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { useUnlock } from '@/hooks/use-unlock'
import own from './words.module.css'

type Props = { user: User; onBack: () => void }

/** The words that stand for the user's own keys, which are made here where the client has not made them yet. */
export default function SixWords({ user, onBack }: Props) {
  const [unlocked, setUnlocked] = useState(() => keyring.isUnlocked())
  const unlocking = useUnlock(user, () => setUnlocked(true))
  if (!unlocked) return <UnlockForm {...unlocking} onClose={onBack} />
  return <Words onBack={onBack} />
}

type Own = { state: 'missing' } | { state: 'reset'; locked: StoredMemberKeys } | { state: 'made'; words: string }

/** From the opened private keys, not from what the server says. */
async function ownWords(stored: StoredMemberKeys | null): Promise<Own> {
  if (!stored) return { state: 'missing' }
  if (stored.envelope === null) return { state: 'reset', locked: stored }
  const [{ publicKeysOf }, { wordsFor }] = await Promise.all([import('@/crypto/member-keys'), import('@/crypto/words')])
  const { keys } = await openMemberKeys(stored)
  return { state: 'made', words: await wordsFor(publicKeysOf(keys), keyring.ids()) }
}

function Words({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation('security')
  const shown = useQuery({
    queryKey: ['auth', 'words'],
    queryFn: async () => ownWords(await getMemberKeys()),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const make = useSecretMutation(async () => {
    await makeMemberKeys(shown.data?.state === 'reset' ? shown.data.locked : null)
    await shown.refetch()
  })
  const state = shown.data?.state
  return (
    <Stack>
      <QueryResult query={shown} loading={t('words.loading')} heights={[96]}>
        {(own) => <Lead>{t(`words.text.${own.state}`)}</Lead>}
      </QueryResult>
      {shown.data?.state === 'made' ? (
        <ol className={own.words} dir="ltr" lang="en" aria-label={t('words.title')}>
          {shown.data.words.split(' ').map((word, index) => (
            <li key={index}>{word}</li>
          ))}
        </ol>
      ) : null}
      <MutationError mutation={make} fallback={t('words.failed')} />
      <Actions>
        <Button variant="text" onClick={onBack}>
          {t('common:actions.back')}
        </Button>
        {state === 'missing' || state === 'reset' ? (
          <Button
            autoFocus={state === 'missing'}
            danger={state === 'reset'}
            pending={make.isPending}
            onClick={() => void make.mutate()}
          >
            {t(state === 'reset' ? 'words.replace' : 'words.make')}
          </Button>
        ) : null}
      </Actions>
    </Stack>
  )
}
