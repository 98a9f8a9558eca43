import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onSignOut, type User } from '@/api/session'
import { useFetch } from '@/hooks/use-fetch'
import { confirmEmail, getConfirmLink } from '../api'
import { ConfirmChange } from './ConfirmChange'
import { Confirmed, ConfirmSkeleton, LinkRefused } from './ConfirmOutcome'

const asked = new Map<string, Promise<string>>()

type Props = { token: string; user: User }

/** Confirms the account's own address at once. Another one is shown beside it and needs a click. */
export function ConfirmLink({ token, user }: Props) {
  const { t } = useTranslation('auth')
  const { data: link, error, retry } = useFetch(getConfirmLink, token)
  const [address, setAddress] = useState<string | null>(null)
  if (address) return <Confirmed address={address} user={user} />
  if (error) return <LinkRefused error={error} user={user} onRetry={retry} />
  if (!link) return <ConfirmSkeleton label={t('reset.checking')} />
  if (!link.isChange) return <ConfirmOwn token={token} user={user} />
  return <ConfirmChange token={token} link={link} user={user} onConfirmed={setAddress} />
}

function ConfirmOwn({ token, user }: Props) {
  const { t } = useTranslation('auth')
  const { data: address, error, retry } = useFetch(confirmOnce, token)
  const again = () => {
    // The first attempt may not have reached the server.
    asked.delete(token)
    retry()
  }
  if (address) return <Confirmed address={address} user={user} />
  if (error) return <LinkRefused error={error} user={user} onRetry={again} />
  return <ConfirmSkeleton label={t('confirm.pending')} />
}

/** A link works once, so it is sent once, however often the page renders; another account may send it again. */
function confirmOnce(token: string): Promise<string> {
  const running = asked.get(token) ?? confirmEmail(token)
  asked.set(token, running)
  return running
}

onSignOut(() => asked.clear())
