// A raw TCP connection: bytes are sent unchanged, and received bytes are kept unchanged.
import { readFileSync } from "node:fs";
import { type Socket, connect } from "node:net";

export class Wire {
  readonly #socket: Socket;
  #received = "";
  #isClosed = false;
  #establishedThere = "";

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1").on("data", (text: string) => (this.#received += text));
    socket.on("connect", () => {
      const end = (port: number | undefined) => `0100007F:${port!.toString(16).toUpperCase().padStart(4, "0")}`;
      this.#establishedThere = ` ${end(socket.remotePort)} ${end(socket.localPort)} 01 `;
    });
    socket.on("close", () => (this.#isClosed = true));
    socket.on("error", () => undefined); // a server may disconnect a hostile client in any way
  }

  static async open(url: string): Promise<Wire> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const wire = new Wire(socket);
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return wire;
  }

  /** Returns when everything is sent, or when the server accepts no more. */
  async send(bytes: string): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.write(bytes, "latin1", () => resolve()));
  }
  /** Stops reading, so that the server cannot send its response. */
  stopReading(): void {
    this.#socket.pause();
  }
  readOn(): void {
    this.#socket.resume();
  }
  close(): void {
    this.#socket.destroy();
  }

  /** Whether the server's side is still open, according to the kernel: a client that does not read misses a close. */
  get isOpenThere(): boolean {
    return readFileSync("/proc/net/tcp", "utf8").includes(this.#establishedThere);
  }

  get received(): string {
    return this.#received;
  }
  /** The statuses of all responses so far, in order. */
  get statuses(): number[] {
    return [...this.#received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }
  /** Available once the whole header has arrived. 0: the connection was closed without a response. */
  firstStatus(seconds: number): Promise<number> {
    return this.#until("an answer, or an end", seconds, () => {
      return this.#isClosed || this.#received.includes("\r\n\r\n") ? (this.statuses[0] ?? 0) : undefined;
    });
  }
  ends(seconds: number): Promise<true> {
    return this.#until("the server closes the connection", seconds, () => this.#isClosed || undefined);
  }

  // Without polling, because thousands of these are opened in turn.
  #until<T>(what: string, seconds: number, ask: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`not within ${seconds} s: ${what}`)), seconds * 1000);
      const look = () => {
        const answer = ask();
        if (answer === undefined) return;
        clearTimeout(late);
        this.#socket.off("data", look).off("close", look);
        resolve(answer);
      };
      this.#socket.on("data", look).on("close", look);
      look();
    });
  }
}
