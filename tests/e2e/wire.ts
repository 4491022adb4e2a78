// A connection below HTTP: bytes go out as they are, and what comes back is kept as it came.
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
    socket.on("error", () => undefined); // a server may hang up on a hostile client in any way it likes
  }

  static async open(url: string): Promise<Wire> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const wire = new Wire(socket);
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return wire;
  }

  /** Returns when all of it is on its way, or when nobody takes it any more. */
  async send(bytes: string): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.write(bytes, "latin1", () => resolve()));
  }
  /** From now on nothing is read, and the server cannot get rid of what it has to say. */
  stopReading(): void {
    this.#socket.pause();
  }
  readOn(): void {
    this.#socket.resume();
  }
  close(): void {
    this.#socket.destroy();
  }

  /** Whether the server still has its end of it, as the kernel sees it: who does not read is not told of a close. */
  get isOpenThere(): boolean {
    return readFileSync("/proc/net/tcp", "utf8").includes(this.#establishedThere);
  }

  get received(): string {
    return this.#received;
  }
  /** Of all answers so far, in order. */
  get statuses(): number[] {
    return [...this.#received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }
  /** Once the whole header is there. 0: it closed without a word. */
  firstStatus(seconds: number): Promise<number> {
    return this.#until("an answer, or an end", seconds, () => {
      return this.#isClosed || this.#received.includes("\r\n\r\n") ? (this.statuses[0] ?? 0) : undefined;
    });
  }
  ends(seconds: number): Promise<true> {
    return this.#until("the server closes the connection", seconds, () => this.#isClosed || undefined);
  }

  // Not by asking again and again: thousands of these are opened, one after the other.
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
