#!/usr/bin/perl
# A fence by the kernel (docs/fence.md): what other agents hold is read-only for one command and everything it starts.
#   fence.pl run HELD ME RUN MODE SHELL ARG...   SHELL in a mount namespace: same process, exit code and signals
#   fence.pl sync HELD RUN MODE                  leases changed, or a holder saved: put every running fence right
#   fence.pl probe DIR                           exit 0 where a fence can be built; DIR is writable
# HELD is described in held.pl. RUN is a directory with a file for each running fence, named after its namespace: who
# runs in it, and what is mounted. All paths are absolute and real.
use strict;

# Set by pre.sh, for this program alone.
delete $ENV{PERL_BADLANG} if ($ENV{PERL_BADLANG} // 'set') eq '';

# Read on use, and guard may have been removed since this command began: then it runs as without guard.
my ($here) = $0 =~ m{^(.*)/}s;
my $broken = eval { require "$here/held.pl"; require "$here/mounts.pl"; 1 } ? undef : "$@";

my ($SHARED, $ALONE, $AT_ONCE) = (1, 2, 4);
my $TURN_S = 2;

my %commands = (run => \&run, sync => \&sync_all, probe => \&probe);
my $command = $commands{shift @ARGV // ''};
if (!$command) {
  print STDERR "guard: see the head of $0\n";
  exit 2;
}
$command->(@ARGV);

# A sync takes 10 to 40 ms. One that hangs (in a file system that does not answer) must stop neither commands nor hooks.
sub turn {
  my ($run, $how) = @_;
  open my $turn, '>>', "$run/turn" or return;
  for (1 .. $TURN_S * 200) {
    return $turn if flock $turn, $how | $AT_ONCE;
    select undef, undef, undef, 0.005;
  }
  return $turn;
}

sub run {
  my ($held, $me, $run, $mode, @shell) = @_;
  # A change of HELD is either seen here, or its sync comes after this fence is on record.
  my $turn = turn($run, $SHARED);
  my $failure = $broken // fence($held, $me, $run, $mode, $shell[-1]);
  # Not left to exec: where a standard stream was closed, the command would inherit it.
  close $turn if $turn;
  if (defined $failure && $mode eq 'closed') {
    print STDERR "guard: the fence could not be built ($failure), so the command was not run. See guard doctor.\n";
    exit 126;
  }
  $ENV{GUARD_FENCED} = $$;
  if (defined $failure) { $ENV{GUARD_FENCE_ERROR} = $failure }
  else { delete $ENV{GUARD_FENCE_ERROR} }
  exec { $shell[0] } @shell;
  print STDERR "guard: $shell[0]: $!\n";
  exit 127;
}

# In a user namespace root is nobody, and sudo refuses to run: such a command stays outside (judged before, noticed after).
sub leaves {
  my ($script) = @_;
  return $> != 0 && $script =~ /(?:^|[;&|(\n]|\beval ')\s*(?:\w+=\S*\s+)*(?:sudo|doas|su|pkexec)\s/;
}

# Answers why not, or undef.
sub fence {
  my ($held, $me, $run, $mode, $script) = @_;
  my ($fenced, $keep, $pinned) = wanted($held, $me, $mode);
  return undef if !%$fenced || leaves($script);
  my $failure = enter_namespace();
  return $failure if defined $failure;
  ($failure, my @done) = build([keys %$fenced], $keep, $pinned);
  enter_again();
  my $number = namespace_number('/proc/self/ns/mnt');
  my $file = "$run/$number";
  note($file, $me, $$, @done);
  # Numbers are given out again within seconds. What is bound onto itself in there is the proof that it is this one.
  pin($file);
  drop_mount_rights() if $mode eq 'closed';
  return $failure;
}

# The working directory is below what was mounted since: in a held directory, writes by relative names would pass.
sub enter_again {
  my $here = readlink '/proc/self/cwd';
  chdir $here if defined $here;
}

# A path may hold newlines; nothing in a path is NUL.
sub note {
  my ($file, @parts) = @_;
  open my $out, '>', $file or return;
  syswrite $out, join("\0", @parts);
  close $out;
}

sub noted {
  my ($file) = @_;
  open my $in, '<', $file or return;
  local $/;
  return split /\0/, <$in> // '';
}

# glob() would load a module.
sub numbered {
  my ($dir) = @_;
  opendir my $open, $dir or return;
  return grep { /^[0-9]+\z/ } readdir $open;
}

sub sync_all {
  my ($held, $run, $mode) = @_;
  return if defined $broken;
  my @fences = numbered($run) or return;
  # Whoever waits for a turn has not looked yet, and will see what this one was to tell.
  open my $next, '>>', "$run/next";
  return if $next && !flock $next, $ALONE | $AT_ONCE;
  my $turn = turn($run, $ALONE);
  close $next if $next;
  my ($everybody, $is_certain);
  for my $number (@fences) {
    my $file = "$run/$number";
    my ($me, $leader, @done) = noted($file);
    next unless defined $leader && $leader =~ /^\d+\z/;
    my $process = (namespace_number("/proc/$leader/ns/mnt") // '') eq $number ? "/proc/$leader" : undef;
    # The shell may have ended before what it left running.
    ($everybody, $is_certain) = members() unless defined $process || $everybody;
    $process //= $everybody->{$number};
    if (!defined $process) { unlink $file if $is_certain; next }
    my $child = fork;
    next unless defined $child;
    # 3: the number is another namespace's by now.
    if ($child) { waitpid $child, 0; unlink $file if $? >> 8 == 3; next }
    exit sync_one($process, $number, $run, $held, $mode, $me, $leader, @done);
  }
}

# And whether nobody was overlooked: from inside of a fence, an unprivileged user's processes outside of it cannot be asked.
sub members {
  my (%found, $is_blind);
  for my $pid (numbered('/proc')) {
    my $number = namespace_number("/proc/$pid/ns/mnt");
    if (defined $number) { $found{$number} //= "/proc/$pid" }
    # 13: EACCES, also of other users' processes.
    elsif ($! == 13 && ((stat "/proc/$pid")[4] // -1) == $>) { $is_blind = 1 }
  }
  return (\%found, !$is_blind);
}

sub sync_one {
  my ($process, $number, $run, $held, $mode, $me, $leader, @noted) = @_;
  my $file = "$run/$number";
  my %mounted = mounts_of($process);
  return 3 unless $mounted{$file};
  # Whoever saves a file by renaming another one onto it takes its mount away: what is gone is made again.
  my %is = map { $_ => 1 } grep { $mounted{substr $_, 1} } @noted;
  my ($fenced, $keep, $pinned) = wanted($held, $me, $mode, $number);
  my %wanted = map { $_ => 1 } (map { "F$_" } keys %$fenced), (map { "W$_" } @$keep), (map { "A$_" } @$pinned);
  my @off = grep { !$wanted{$_} } keys %is;
  my @on = grep { !$is{$_} } keys %wanted;
  return 0 unless @off || @on;
  my $failure = join_namespace("$process/ns");
  if (defined $failure) { print STDERR "guard: $failure\n"; return 1 }
  take_off(substr $_, 1) for sort { length $b <=> length $a } @off;
  my %add = ('F', [], 'W', [], 'A', []);
  push @{ $add{ substr $_, 0, 1 } }, substr $_, 1 for @on;
  # A directory that is fenced anew covers what was writable in it.
  my %again = map { $_ => 1 } @{ $add{W} };
  $again{$_} = 1 for grep { my $own = $_; grep { is_below($own, $_) } @{ $add{F} } } @$keep;
  ($failure, my @done) = build($add{F}, [keys %again], $add{A});
  print STDERR "guard: $failure\n" if defined $failure;
  delete @is{@off};
  $is{$_} = 1 for @done;
  note($file, $me, $leader, keys %is);
  return 0;
}

sub mounts_of {
  my ($process) = @_;
  my %found;
  open my $lines, '<', "$process/mountinfo" or return;
  while (<$lines>) {
    my $path = (split ' ')[4];
    $path =~ s/\\(\d{3})/chr oct $1/ge;
    $found{$path} = 1;
  }
  return %found;
}

# Really builds one: on some machines the namespace is allowed and the mount in it is not.
sub probe {
  my ($dir) = @_;
  if (defined $broken) { print "no: $broken"; exit 1 }
  my $file = "$dir/probe.$$";
  open my $made, '>', $file or do { print "no: $file: $!\n"; exit 1 };
  close $made;
  my $failure = enter_namespace() // make_read_only($file);
  # 30: EROFS.
  if (!defined $failure && (open(my $open, '>>', $file) || $! != 30)) { $failure = 'a read-only mount did not hold' }
  take_off($file);
  unlink $file;
  print defined $failure ? "no: $failure\n" : "yes\n";
  exit(defined $failure ? 1 : 0);
}
