import type { ComponentProps } from 'react'
import { visible } from '@/lib/visible'

type Props = Omit<ComponentProps<'bdi'>, 'children'> & { children: string | null | undefined }

/** A name that somebody else may have chosen: it neither reorders the words around it nor hides a part of itself. */
export function Name({ children, ...rest }: Props) {
  return <bdi {...rest}>{visible(children ?? '')}</bdi>
}
