// Requests and responses of Fencepost, as docs/reference/openapi.json describes them; only those that this client uses.

/** A whole number of wei or gas: a string in decimal or 0x-hex, or a bigint. Numbers are exact only to 2^53. */
export type Amount = string | bigint;

export type Fee =
  "slow" | "normal" | "fast" | { maxFeePerGas: Amount; maxPriorityFeePerGas: Amount } | { gasPrice: Amount };

/** A contract call by function signature, instead of encoded data. */
export type AbiCall = { abi: string; args: unknown[] };

export type Payload = {
  /** Absent: a deployment. */
  to?: string;
  value?: Amount;
  gas?: Amount;
  fee?: Fee;
  /** RFC 3339: the transaction is not sent after this time. */
  validUntil?: string;
} & ({ data?: string } | AbiCall);

export type NewTransaction = { submitter: string; requestId: string; payload: Payload };

export type State =
  | "QUEUED"
  | "ALLOCATED"
  | "TRACKING"
  | "UNKNOWN_SUBMIT_RESULT"
  | "STUCK"
  | "CONFIRMED"
  | "FAILED_FINAL"
  | "CANCELLED"
  | "REJECTED";

export type Receipt = {
  txHash: string;
  blockNumber: number;
  blockHash: string;
  succeeded: boolean;
  gasUsed: string;
  effectiveGasPrice: string;
  contractAddress: string | null;
};

export type Transaction = {
  txId: string;
  submitter: string;
  requestId: string | null;
  state: State;
  subState: string | null;
  txHash: string | null;
  blockNumber: number | null;
  confirmations: number;
  receipt: Receipt | null;
  error: { code: string; detail: string } | null;
  needsPerson: boolean;
  cancelling: boolean;
  createdAt: string;
  updatedAt: string;
  confirmedAt: string | null;
};

export type Page<Item> = { items: Item[]; next: string | null };

export type Command = { commandId: string; kind: string; txId: string; submitter: string };

/** RFC 9457. `type` is for programs, `detail` for people. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: { field: string; detail: string }[];
  txId?: string;
};
