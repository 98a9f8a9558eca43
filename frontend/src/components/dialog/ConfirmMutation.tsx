import type { ComponentProps } from 'react'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { ConfirmDialog } from './ConfirmDialog'

type Props = Omit<ComponentProps<typeof ConfirmDialog>, 'open' | 'pending' | 'onConfirm'> &
  Parameters<typeof useToastMutation>[1] & { mutate: () => Promise<unknown> }

/** Asks before a call whose outcome a toast reports, and closes when it has succeeded. */
export function ConfirmMutation({ mutate, success, failure, refresh, onDone, ...dialog }: Props) {
  const mutation = useToastMutation(mutate, {
    success,
    failure,
    refresh,
    onDone: () => {
      onDone?.()
      dialog.onClose()
    },
  })
  return <ConfirmDialog open {...dialog} pending={mutation.isPending} onConfirm={() => void mutation.mutate()} />
}
