// The durable outbox: events are posted, stored, told, acknowledged, and read again after a crash.
//
// 2 clients with a connection each, 3 events, a crash (kill or power cut) between any two steps, any number of times.
// The reactor's thread handles an input whole, so a step is one input, or one act of the store's thread.
// A line `step NAME: Type.function` names the Swift function that a step models; its doc comment names the step.
// A line `planted NAME: sentence` is a fault that spin must find with -DNAME; one that the code has is called `open`.
//
// planted TOLD_BEFORE_STORED: an event's line is not held back until the event is on the card
// planted ACKNOWLEDGED_IN_MEMORY: an acknowledged event is removed from memory and not from the card
// planted NUMBER_FORGOTTEN: the last number that was given is not stored, so that it is given again
// planted STATE_FIRST: a region's new state is stored in a transaction before that of its event
// planted LINES_FORGOTTEN: lines that wait for the second next transaction are not sent when it ends
// planted LATE_ARMING: a connection that asks for events only after one was posted is sent it before it is on the card

#define CLIENTS 2
#define EVENTS 3
#define NONE 0
#define PUT 1
#define REMOVE 2

// What a line or a client waits for: nothing, the transaction under way, or the one after it.
#define FREE 0
#define UNDER_WAY 1
#define NEXT 2

// Changes that are made in one transaction.
typedef Batch {
    bool isAny;
    byte change[EVENTS];    // of the event's row: NONE, PUT, REMOVE
    bool crossed[EVENTS];   // the state of the event's region says that it was crossed
    byte last[CLIENTS];     // the last number that was given; 0 for no change
    bool own[CLIENTS];      // some of the changes are the client's
}

// The world: each event's client, chosen at the beginning. Events happen in the order of their indices.
byte owner[EVENTS];

// The card.
bool cardCrossed[EVENTS];
bool cardRow[EVENTS];
byte cardNumber[EVENTS];
byte cardLast[CLIENTS];

// The daemon's memory: Monitoring, PendingEvents, StateQueue, HeldSends.
bool crossed[EVENTS];
bool waits[EVENTS];
byte number[EVENTS];
byte last[CLIENTS];
bool connected[CLIENTS];
bool armed[CLIENTS];
byte sent[CLIENTS];
Batch next, under;
bool isWritten;             // the transaction under way is on the card, and the reactor was not told yet
byte held[EVENTS];          // the line of an event to its client's connection
byte wait[CLIENTS];

// What clients know, and what was promised; no crash takes it.
bool taken[EVENTS];         // it acknowledged the event
bool toldHere[EVENTS];      // on the present connection
byte toldNumber[EVENTS];
bool acknowledged[EVENTS];  // the daemon took it
bool settled[EVENTS];       // and after that nothing waited for the card

byte c, e, f, stage;

// step tell: ClientLines.sendHeld
inline tell(x) {
    printf("tell: client %d is sent event %d, number %d\n", owner[x], x, number[x]);
    assert(cardRow[x]);                                         // an event is told only when it is on the card
    assert(!acknowledged[x]);                                   // an acknowledged event is not told again
    assert(toldNumber[x] == 0 || toldNumber[x] == number[x]);   // an event is told again only under its number
    f = 0;
    do
    :: f == EVENTS -> break
    :: f < EVENTS ->
        if
        :: f != x && owner[f] == owner[x] ->
            assert(toldNumber[f] != number[x]);                 // no two events of a client have one number
            assert(f > x || !waits[f] || toldHere[f])           // events are told in the order in which they happened
        :: else
        fi;
        f++
    od;
    toldHere[x] = true; toldNumber[x] = number[x]
}

// step add: StateQueue.add
// Adds the changes of one input, and begins to write where no transaction is under way; `stage` is what they wait for.
inline add(x) {
    next.isAny = true; next.own[x] = true;
    if
    :: under.isAny -> stage = NEXT
    :: else -> begin(); stage = UNDER_WAY
    fi
}

// step begin: StateQueue.takeNext
inline begin() {
    under.isAny = next.isAny; next.isAny = false;
    f = 0;
    do
    :: f == EVENTS -> break
    :: f < EVENTS ->
        under.change[f] = next.change[f]; next.change[f] = NONE;
        under.crossed[f] = next.crossed[f]; next.crossed[f] = false;
        f++
    od;
    f = 0;
    do
    :: f == CLIENTS -> break
    :: f < CLIENTS ->
        under.last[f] = next.last[f]; next.last[f] = 0;
        under.own[f] = next.own[f]; next.own[f] = false;
        f++
    od
}

// step await: ClientLines.awaitStore
// A connection's lines wait for all changes of its client that are not on the card, and for no other client's.
inline await(x) {
    if
    :: next.own[x] -> wait[x] = NEXT
    :: !next.own[x] && under.own[x] -> wait[x] = UNDER_WAY
    :: else
    fi
}

// step send: ClientLines.send
// step deliver: PendingEvents.deliver
// A connection is sent the waiting events after the last one that it was sent; a line waits where its client does.
inline deliver(x) {
    e = 0;
    do
    :: e == EVENTS -> break
    :: e < EVENTS ->
        if
        :: armed[x] && waits[e] && owner[e] == x && number[e] > sent[x] ->
            sent[x] = number[e];
            if
            :: wait[x] != FREE -> held[e] = wait[x]
            :: else -> tell(e)
            fi
        :: else
        fi;
        e++
    od
}

// step post: PendingEvents.post
// step hold: Engine.holdLines
// The region's state, the event and its number are one input's changes; a line that tells of them is held back.
inline post(x) {
    c = owner[x];
    crossed[x] = true; waits[x] = true; last[c]++; number[x] = last[c];
    printf("post: event %d happens to client %d, and gets number %d\n", x, c, number[x]);
    next.crossed[x] = true;
#ifdef STATE_FIRST
    add(c);
#endif
    next.change[x] = PUT;
#ifndef NUMBER_FORGOTTEN
    next.last[c] = last[c];
#endif
    add(c);
#ifndef TOLD_BEFORE_STORED
    if
    :: armed[c] -> wait[c] = stage
    :: else
    fi;
#endif
    deliver(c)
}

// step arm: PendingEvents.arm
inline arm(x) {
    printf("arm: client %d asks for events\n", x);
    armed[x] = true;
#ifndef LATE_ARMING
    await(x);
#endif
    deliver(x)
}

// step connect: PendingEvents.connect
inline connect(x) {
    printf("connect: client %d\n", x);
    connected[x] = true;
    await(x)
}

// step disconnect: PendingEvents.disconnect
inline disconnect(x) {
    connected[x] = false; armed[x] = false; sent[x] = 0; wait[x] = FREE;
    f = 0;
    do
    :: f == EVENTS -> break
    :: f < EVENTS ->
        if
        :: owner[f] == x -> held[f] = FREE; toldHere[f] = false
        :: else
        fi;
        f++
    od
}

// step acknowledge: PendingEvents.acknowledge
inline acknowledge(x) {
    printf("acknowledge: client %d takes event %d\n", owner[x], x);
    waits[x] = false; acknowledged[x] = true; taken[x] = true;
#ifndef ACKNOWLEDGED_IN_MEMORY
    next.change[x] = REMOVE;
    add(owner[x]);
    wait[owner[x]] = stage
#endif
}

// step store: Database.apply
// All changes of a transaction are on the card, or none.
inline store() {
    printf("store: the transaction is on the card\n");
    isWritten = true;
    f = 0;
    do
    :: f == EVENTS -> break
    :: f < EVENTS ->
        if
        :: under.change[f] == PUT -> cardRow[f] = true; cardNumber[f] = number[f]
        :: under.change[f] == REMOVE -> cardRow[f] = false; cardNumber[f] = 0
        :: else
        fi;
        if
        :: under.crossed[f] -> cardCrossed[f] = true
        :: else
        fi;
        f++
    od;
    f = 0;
    do
    :: f == CLIENTS -> break
    :: f < CLIENTS ->
        if
        :: under.last[f] != 0 -> cardLast[f] = under.last[f]
        :: else
        fi;
        f++
    od
}

// step settle: StateQueue.finished
// step release: HeldSends.release
// The reactor hears that the transaction ended: lines that waited for it are sent, and the next one begins.
inline settle() {
    printf("settle: the reactor hears that the transaction is on the card\n");
    isWritten = false; under.isAny = false;
    e = 0;
    do
    :: e == EVENTS -> break
    :: e < EVENTS ->
        if
        :: held[e] == UNDER_WAY -> held[e] = FREE; tell(e)
        :: held[e] == NEXT ->
#ifdef LINES_FORGOTTEN
            skip
#else
            held[e] = UNDER_WAY
#endif
        :: else
        fi;
        e++
    od;
    f = 0;
    do
    :: f == CLIENTS -> break
    :: f < CLIENTS ->
        if
        :: wait[f] != FREE -> wait[f]--
        :: else
        fi;
        f++
    od;
    begin()
}

// step restore: PendingEvents.restore
// A crash takes the memory; the next start reads the card. A crossing that is not on the card is found again.
inline crash() {
    printf("crash: the daemon is killed and starts again\n");
    disconnect(0); disconnect(1);
    next.isAny = false; begin(); begin(); isWritten = false;
    f = 0;
    do
    :: f == CLIENTS -> break
    :: f < CLIENTS -> last[f] = cardLast[f]; f++
    od;
    f = 0;
    do
    :: f == EVENTS -> break
    :: f < EVENTS ->
        crossed[f] = cardCrossed[f]; waits[f] = cardRow[f]; number[f] = cardNumber[f];
        if
        :: number[f] > last[owner[f]] -> last[owner[f]] = number[f]
        :: else
        fi;
        // An acknowledgement that was not on the card yet may be lost.
        acknowledged[f] = settled[f];
        f++
    od
}

// What holds after every step.
inline check() {
    f = 0;
    do
    :: f == EVENTS -> break
    :: f < EVENTS ->
        assert(!cardCrossed[f] || taken[f] || cardRow[f]);      // an event is on the card until it is acknowledged
        assert(!crossed[f] || taken[f] || waits[f]);            // an event waits until it is acknowledged
        if
        :: !next.isAny && !under.isAny ->                       // the card has everything
            settled[f] = acknowledged[f];
            assert(held[f] == FREE && wait[owner[f]] == FREE);  // no line waits for ever
            assert(!armed[owner[f]] || !waits[f] || toldHere[f])    // whoever asks is told what waits
        :: else
        fi;
        f++
    od;
    c = 0; e = 0; f = 0; stage = FREE                           // scratch, which makes no states of its own
}

active proctype daemon() {
    atomic {
        e = 0;
        do
        :: e == EVENTS -> break
        :: e < EVENTS ->
            if
            :: owner[e] = 0
            :: owner[e] = 1
            fi;
            e++
        od
    }
    do
    :: d_step { !crossed[0] -> post(0); check() }
    :: d_step { crossed[0] && !crossed[1] -> post(1); check() }
    :: d_step { crossed[1] && !crossed[2] -> post(2); check() }
    :: d_step { !connected[0] -> connect(0); check() }
    :: d_step { !connected[1] -> connect(1); check() }
    :: d_step { connected[0] && !armed[0] -> arm(0); check() }
    :: d_step { connected[1] && !armed[1] -> arm(1); check() }
    :: d_step { connected[0] -> printf("disconnect: client 0\n"); disconnect(0); check() }
    :: d_step { connected[1] -> printf("disconnect: client 1\n"); disconnect(1); check() }
    :: d_step { toldHere[0] && waits[0] -> acknowledge(0); check() }
    :: d_step { toldHere[1] && waits[1] -> acknowledge(1); check() }
    :: d_step { toldHere[2] && waits[2] -> acknowledge(2); check() }
    :: d_step { under.isAny && !isWritten -> store(); check() }
    :: d_step { isWritten -> settle(); check() }
    :: d_step { crash(); check() }
    od
}
