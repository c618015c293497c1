// The order of authorization: operators decide, decisions are stored and then answered, clients are sent locations.
//
// 2 clients whom the policy allows where nothing was decided; the master switch; a card that refuses any write; a crash
// (kill or power cut) between any two steps, any number of times.
// The lines `step`, `planted` and `open` are as in outbox.pml. A line `part NAME: sentence` is a part that is explored
// by itself, with -DNAME; a fault is looked for in the first one, where its line names no other.
//
// part ORDERS: an agent that stays connected, and a command that connects anew for each order
// part SPOILT: an agent, and a card that once spoils the file of decisions, some or all of the database, or both
//
// planted ANSWERED_BEFORE_STORED: a decision's answer is not held back until the decision is on the card
// planted REFUSAL_IGNORED: a decision that the card refused is answered as if it were stored
// planted DATABASE_ALONE: a decision is written to the database alone, and the start believes the file of decisions
// planted POLICY_FIRST: clients are served by the policy before the stored decisions are read
// planted ANSWERS_OVERTAKE: answers are sent before the lines with locations that waited before them
// planted REPEATED_ANSWER: an order that changes nothing is answered at once, though the card lacks the first such order
// planted DOUBT_LATE (SPOILT): a damaged database is rebuilt before the card says that decisions may have been lost

#define CLIENTS 2
#define AGENT 0             // an operator that stays connected
#define COMMAND 1           // an operator that connects anew for each order
#define OPERATORS 2

// What was decided about a client, or that nothing was.
#define NONE 0
#define ALLOWED 1
#define DENIED 2

// The master switch, in a change: NONE, or one of these.
#define ON 1
#define OFF 2

// What a line waits for: nothing, the transaction under way, or the one after it.
#define FREE 0
#define UNDER_WAY 1
#define NEXT 2

// How far the daemon is.
#define ENDED 0
#define OPENED 1            // the files were read
#define NOTED 2             // the file of decisions has what was found
#define READING 3           // clients are served, though no decision was read (planted)
#define SERVING 4

#define mayLocate(x) (isOn && (record[x] == ALLOWED || record[x] == NONE && !isInDoubt))

typedef Batch {
    bool isAny;
    bool isAwaited;         // some of its changes were not refused before, and somebody waits for what becomes of them
    bool own[CLIENTS];      // the same of those that lines to the client may tell of
    bool decides;           // the same of decisions
    byte record[CLIENTS];
    byte services;
}

// The card: the file of decisions, and the database with the same decisions.
byte fileRecord[CLIENTS], fileServices, databaseRecord[CLIENTS], databaseServices;
bool isFileInDoubt, isFileSpoilt, isDatabaseSpoilt, wasSpoilt;

// The daemon's memory: AuthorizationBook, StateQueue, HeldSends.
byte phase;
byte record[CLIENTS];
bool isOn = true;
bool isInDoubt;
Batch next, under;
byte written;               // of the transaction under way: 0 nothing, 1 the file, 2 the database too
byte wait[CLIENTS];         // what a client's lines wait for
bool heldNow[CLIENTS], heldNext[CLIENTS];   // lines with locations wait, by what they wait for

// The order that an operator waits to be answered. Only of orders that restrict is it followed what they are answered,
// and only until the opposite is ordered.
#define DENY 1
#define TURN_OFF 2
byte order[OPERATORS];
byte about[OPERATORS];      // the client that it denies
byte answer[OPERATORS];     // what its answer waits for

// What was promised; no crash takes it.
bool denied[CLIENTS];       // an operator was answered that the client is denied, and did not order otherwise since
bool off;                   // the same of the master switch

byte found;                 // of the switch, until the database has it too

byte i, before, stage;
bool isRefused;

// step tell: ClientLines.sendHeld
inline tell(x) {
    printf("tell: client %d is sent a location\n", x);
    assert(!denied[x]);     // no location after the answer that the client is denied
    assert(!off)            // no location after the answer that services are off
}

inline answered(o) {
    if
    :: order[o] == DENY ->
        printf("answer: operator %d is told that client %d is denied\n", o, about[o]); denied[about[o]] = true
    :: order[o] == TURN_OFF ->
        printf("answer: operator %d is told that services are off\n", o); off = true
    :: else
    fi;
    forget(o)
}

inline refused(o) {
    printf("answer: operator %d is told that its order is not stored\n", o);
    forget(o)
}

inline forget(o) { order[o] = NONE; about[o] = 0; answer[o] = FREE }

// step begin: StateQueue.takeNext
inline begin() {
    under.isAny = next.isAny; under.isAwaited = next.isAwaited; under.services = next.services;
    under.decides = next.decides;
    next.isAny = false; next.isAwaited = false; next.services = NONE; next.decides = false;
    i = 0;
    do
    :: i == CLIENTS -> break
    :: i < CLIENTS ->
        under.record[i] = next.record[i]; next.record[i] = NONE;
        under.own[i] = next.own[i]; next.own[i] = false;
        i++
    od;
    written = 0
}

// step add: StateQueue.add
inline add() {
    next.isAny = true; next.isAwaited = true;
    if
    :: under.isAny -> stage = NEXT
    :: else -> begin(); stage = UNDER_WAY
    fi
}

// step await: ClientLines.awaitStore
// Lines wait for the changes that they may tell of: a client's for its own and the switch, an operator's for decisions.
inline await(inNext, inUnder) {
    stage = FREE;
    if
    :: inNext -> stage = NEXT
    :: !inNext && inUnder -> stage = UNDER_WAY
    :: else
    fi
}

#define decides(batch) (batch.record[0] != NONE || batch.record[1] != NONE || batch.services != NONE)

// step decide: AuthorizationEntry.answer
// step hold: Engine.holdLines
// A decision is in effect at once, and answered once it is on the card.
inline decide(o, x, what) {
    if
    :: what == DENIED ->
        printf("decide: operator %d denies client %d\n", o, x);
        order[o] = DENY; about[o] = x
    :: else ->
        printf("decide: operator %d allows client %d\n", o, x);
        denied[x] = false;
        if
        :: order[1 - o] == DENY && about[1 - o] == x -> forget(1 - o)
        :: else
        fi
    fi;
    if
    :: record[x] != what ->
        before = mayLocate(x);
        record[x] = what; next.record[x] = what; next.own[x] = true; next.decides = true;
        add();
        // The client is told, where anything changes for it, and its further lines follow that one.
        if
        :: before != mayLocate(x) -> wait[x] = stage
        :: else
        fi;
        await_answer(o)
    :: else -> unchanged(o)
    fi
}

inline await_answer(o) {
#ifdef ANSWERED_BEFORE_STORED
    answered(o)
#else
    if
    :: order[o] != NONE -> answer[o] = stage
    :: else
    fi
#endif
}

// An order that changes nothing.
inline unchanged(o) {
    await(next.decides, under.decides);
    if
#ifdef REPEATED_ANSWER
    :: o == COMMAND && stage != FREE -> await_answer(o)
#else
    :: stage != FREE -> await_answer(o)
    :: stage == FREE && (decides(next) || decides(under)) -> refused(o) // what was refused is not on the card yet
#endif
    :: else -> answered(o)
    fi
}

// step switch: Access.enableServices
// The switch is stored with every order, also where it does not change.
inline turn(o, what) {
    if
    :: what == OFF ->
        printf("switch: operator %d turns services off\n", o);
        order[o] = TURN_OFF
    :: else ->
        printf("switch: operator %d turns services on\n", o);
        off = false;
        if
        :: order[1 - o] == TURN_OFF -> forget(1 - o)
        :: else
        fi
    fi;
    isOn = (what == ON); next.services = what; next.own[0] = true; next.own[1] = true; next.decides = true;
    add();
    await_answer(o)
}

// step send: ClientLines.send
inline locate(x) {
    printf("locate: a fix for client %d\n", x);
    if
    :: wait[x] == FREE -> tell(x)
    :: wait[x] == UNDER_WAY -> heldNow[x] = true
    :: wait[x] == NEXT -> heldNext[x] = true
    fi
}

// step post: PendingEvents.post
// An event is a line with a location that waits for a row of its own.
inline post(x) {
    printf("post: an event for client %d\n", x);
    next.own[x] = true;
    add();
    wait[x] = stage;
    if
    :: stage == UNDER_WAY -> heldNow[x] = true
    :: else -> heldNext[x] = true
    fi
}

// A new connection's lines wait for what is not on the card and concerns its client.
inline connect(x) {
    printf("connect: client %d connects anew\n", x);
    heldNow[x] = false; heldNext[x] = false;
    await(next.own[x], under.own[x]);
    wait[x] = stage
}

// step file: DecisionFile.apply
inline file() {
    printf("file: the file of decisions is on the card\n");
    written = 1;
#ifndef DATABASE_ALONE
    i = 0;
    do
    :: i == CLIENTS -> break
    :: i < CLIENTS ->
        if
        :: under.record[i] != NONE -> fileRecord[i] = under.record[i]
        :: else
        fi;
        i++
    od;
    if
    :: under.services != NONE -> fileServices = under.services
    :: else
    fi
#endif
}

// step store: Database.apply
inline store() {
    printf("store: the transaction is on the card\n");
    written = 2;
#ifdef SPOILT
    i = 0;
    do
    :: i == CLIENTS -> break
    :: i < CLIENTS ->
        if
        :: under.record[i] != NONE -> databaseRecord[i] = under.record[i]
        :: else
        fi;
        i++
    od;
    if
    :: under.services != NONE -> databaseServices = under.services
    :: else
    fi
#endif
}

// step release: HeldSends.release
// Lines that waited for the transaction are sent in their order, of confirmations those that are true.
inline release() {
#ifdef ANSWERS_OVERTAKE
    answers();
#endif
    i = 0;
    do
    :: i == CLIENTS -> break
    :: i < CLIENTS ->
        if
        :: heldNow[i] -> tell(i)
        :: else
        fi;
        heldNow[i] = heldNext[i]; heldNext[i] = false;
        if
        :: wait[i] != FREE -> wait[i]--
        :: else
        fi;
        i++
    od;
#ifndef ANSWERS_OVERTAKE
    answers()
#endif
}

inline answers() {
    i = 0;
    do
    :: i == OPERATORS -> break
    :: i < OPERATORS ->
        if
        :: answer[i] == UNDER_WAY && isRefused -> refused(i)
        :: answer[i] == UNDER_WAY && !isRefused -> answered(i)
        :: answer[i] == NEXT -> answer[i] = UNDER_WAY
        :: else
        fi;
        i++
    od
}

// step settle: StateQueue.finished
// Refused changes wait again, before those that came meanwhile, which are written at once where anybody waits for them.
inline settle(isBad) {
    if
    :: isBad -> printf("settle: the card refused the transaction\n")
    :: else -> printf("settle: the reactor hears that the transaction is on the card\n")
    fi;
    if
    :: isBad ->
        i = 0;
        do
        :: i == CLIENTS -> break
        :: i < CLIENTS ->
            if
            :: next.record[i] == NONE -> next.record[i] = under.record[i]
            :: else
            fi;
            i++
        od;
        if
        :: next.services == NONE -> next.services = under.services
        :: else
        fi;
        next.isAny = true
    :: else
    fi;
    under.isAny = false; under.isAwaited = false; under.services = NONE; under.decides = false; written = 0;
    i = 0;
    do
    :: i == CLIENTS -> break
    :: i < CLIENTS -> under.record[i] = NONE; under.own[i] = false; i++
    od;
#ifndef REFUSAL_IGNORED
    isRefused = isBad;
#endif
    release();
    if
    :: next.isAwaited -> begin()
    :: else
    fi
}

// step retry: StateStore.retry
inline retry() {
    printf("retry: what was refused is written again\n");
    begin()
}

inline crash() {
    printf("crash: the daemon is killed\n");
    phase = ENDED;
    next.isAny = false; next.isAwaited = false; next.services = NONE; next.record[0] = NONE; next.record[1] = NONE;
    next.own[0] = false; next.own[1] = false; next.decides = false;
    begin(); begin();
    isInDoubt = false; isOn = true; found = NONE;
    i = 0;
    do
    :: i == CLIENTS -> break
    :: i < CLIENTS -> record[i] = NONE; wait[i] = FREE; heldNow[i] = false; heldNext[i] = false; i++
    od;
    i = 0;
    do
    :: i == OPERATORS -> break
    :: i < OPERATORS -> forget(i); i++
    od
}

// What a damaged database loses: all decisions, those about one client, or the switch.
#define ALL CLIENTS
#define SWITCH (CLIENTS + 1)

inline spoil(ofFile, ofDatabase, lost) {
    if
    :: ofFile && ofDatabase -> printf("spoil: the file of decisions and the database are spoilt\n")
    :: ofFile && !ofDatabase -> printf("spoil: the file of decisions is spoilt\n")
    :: else -> printf("spoil: the database is spoilt\n")
    fi;
    wasSpoilt = true; isFileSpoilt = ofFile; isDatabaseSpoilt = ofDatabase;
    i = 0;
    do
    :: i == CLIENTS -> break
    :: i < CLIENTS ->
        if
        :: ofDatabase && (lost == ALL || lost == i) -> databaseRecord[i] = NONE
        :: else
        fi;
        i++
    od;
    if
    :: ofDatabase && (lost == ALL || lost == SWITCH) -> databaseServices = NONE
    :: else
    fi
}

#define isDatabaseEmpty (databaseRecord[0] == NONE && databaseRecord[1] == NONE && databaseServices == NONE)

// step open: StateFiles.openDatabase
// step restore: AuthorizationEntry.restore
// The file of decisions is believed; without one a whole database that has any; without both the decisions are in
// doubt. A damaged database is rebuilt without what it lost, and looks whole from then on.
inline open() {
    printf("open: the files are read\n");
    phase = OPENED;
    isInDoubt = isFileSpoilt && (isDatabaseSpoilt || isDatabaseEmpty) || !isFileSpoilt && isFileInDoubt;
    i = 0;
    do
    :: i == CLIENTS -> break
    :: i < CLIENTS ->
        if
        :: !isFileSpoilt -> record[i] = fileRecord[i]
        :: isFileSpoilt && !isInDoubt -> record[i] = databaseRecord[i]
        :: else -> record[i] = NONE
        fi;
        i++
    od;
    if
    :: !isFileSpoilt -> found = fileServices
    :: isFileSpoilt && !isInDoubt -> found = databaseServices
    :: else -> found = NONE
    fi;
    isOn = (found == ON || found == NONE && !isInDoubt);
#ifndef DOUBT_LATE
    // The card has the doubt before the database looks whole.
    if
    :: isDatabaseSpoilt -> note()
    :: else
    fi;
#endif
    isDatabaseSpoilt = false
}

// The file of decisions has what was found.
inline note() {
    isFileSpoilt = false; isFileInDoubt = isInDoubt; fileServices = found;
    fileRecord[0] = record[0]; fileRecord[1] = record[1]
}

// step line: StateFiles.bringIntoLine
// The file of decisions first, and then the database.
inline line() {
    if
    :: phase == OPENED ->
        printf("line: the file of decisions has what was found\n");
        phase = NOTED;
        note()
    :: else ->
        printf("line: the database has it too; clients are served\n");
        found = NONE;
#ifdef SPOILT
        databaseRecord[0] = fileRecord[0]; databaseRecord[1] = fileRecord[1]; databaseServices = fileServices;
#endif
#ifdef POLICY_FIRST
        phase = READING; record[0] = NONE; record[1] = NONE; isOn = true
#else
        phase = SERVING
#endif
    fi
}

inline restore() {
    printf("restore: the decisions are read\n");
    record[0] = fileRecord[0]; record[1] = fileRecord[1];
    isOn = fileServices == ON || fileServices == NONE && !isInDoubt;
    phase = SERVING
}

// What holds after every step.
inline check() {
    assert(phase != SERVING || !denied[0] || !mayLocate(0));    // a denial that was answered holds
    assert(phase != SERVING || !denied[1] || !mayLocate(1));    // a denial that was answered holds
    assert(phase != SERVING || !off || !isOn);                  // services that were answered to be off stay off
    assert(next.isAny || under.isAny || answer[0] == FREE && answer[1] == FREE);    // no answer waits for ever
    i = 0; before = 0; stage = FREE; isRefused = false          // scratch, which makes no states of its own
}

#define serves (phase >= READING)

active proctype daemon() {
    do
    :: d_step { phase == SERVING && order[AGENT] == NONE -> decide(AGENT, 0, DENIED); check() }
    :: d_step { phase == SERVING && order[AGENT] == NONE -> decide(AGENT, 1, DENIED); check() }
    :: d_step { phase == SERVING && order[AGENT] == NONE -> decide(AGENT, 0, ALLOWED); check() }
    :: d_step { phase == SERVING && order[AGENT] == NONE -> decide(AGENT, 1, ALLOWED); check() }
    :: d_step { phase == SERVING && order[AGENT] == NONE -> turn(AGENT, ON); check() }
    :: d_step { phase == SERVING && order[AGENT] == NONE -> turn(AGENT, OFF); check() }
#ifndef SPOILT
    :: d_step { phase == SERVING && order[COMMAND] == NONE -> decide(COMMAND, 0, DENIED); check() }
    :: d_step { phase == SERVING && order[COMMAND] == NONE -> decide(COMMAND, 1, DENIED); check() }
    :: d_step { phase == SERVING && order[COMMAND] == NONE -> decide(COMMAND, 0, ALLOWED); check() }
    :: d_step { phase == SERVING && order[COMMAND] == NONE -> decide(COMMAND, 1, ALLOWED); check() }
    :: d_step { phase == SERVING && order[COMMAND] == NONE -> turn(COMMAND, ON); check() }
    :: d_step { phase == SERVING && order[COMMAND] == NONE -> turn(COMMAND, OFF); check() }
    :: d_step { phase == SERVING && mayLocate(0) -> post(0); check() }
    :: d_step { phase == SERVING && mayLocate(1) -> post(1); check() }
    :: d_step { phase == SERVING -> connect(0); check() }
    :: d_step { phase == SERVING -> connect(1); check() }
#else
    :: d_step { phase == ENDED && !wasSpoilt -> spoil(true, false, ALL); check() }
    :: d_step { phase == ENDED && !wasSpoilt -> spoil(false, true, 0); check() }
    :: d_step { phase == ENDED && !wasSpoilt -> spoil(false, true, 1); check() }
    :: d_step { phase == ENDED && !wasSpoilt -> spoil(false, true, ALL); check() }
    :: d_step { phase == ENDED && !wasSpoilt -> spoil(false, true, SWITCH); check() }
    :: d_step { phase == ENDED && !wasSpoilt -> spoil(true, true, 0); check() }
    :: d_step { phase == ENDED && !wasSpoilt -> spoil(true, true, 1); check() }
    :: d_step { phase == ENDED && !wasSpoilt -> spoil(true, true, ALL); check() }
    :: d_step { phase == ENDED && !wasSpoilt -> spoil(true, true, SWITCH); check() }
#endif
    :: d_step { serves && mayLocate(0) -> locate(0); check() }
    :: d_step { serves && mayLocate(1) -> locate(1); check() }
    :: d_step { under.isAny && written == 0 -> file(); check() }
    :: d_step { under.isAny && written == 1 -> store(); check() }
    :: d_step { under.isAny && written == 2 -> settle(false); check() }
    :: d_step { under.isAny && written < 2 -> settle(true); check() }
    :: d_step { next.isAny && !under.isAny -> retry(); check() }
    :: d_step { phase != ENDED -> crash(); check() }
    :: d_step { phase == ENDED -> open(); check() }
    :: d_step { phase == OPENED || phase == NOTED -> line(); check() }
    :: d_step { phase == READING -> restore(); check() }
    od
}
